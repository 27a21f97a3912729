"""Settings as a project has them that knows nothing of ours but the name of a scheduler."""

BOT_NAME = "foreign"
SPIDER_MODULES = ["foreign_spiders"]
SCHEDULER = "crawler_project.own_spiders.request_scheduler.RequestScheduler"
TELNETCONSOLE_ENABLED = False
RETRY_TIMES = 1
COMMANDS_MODULE = "crawler_project.commands"
LOG_LEVEL = "INFO"
