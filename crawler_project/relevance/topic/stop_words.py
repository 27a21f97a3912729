"""English function words: what rule T1 takes out before stemming."""

from __future__ import annotations

from typing import Final

_WORDS = """
a able about above across after afterwards again against ain all almost alone along already also although always am
among an and another any anybody anyhow anyone anything anyway anywhere are aren around as at away back be became
because become becomes been before beforehand began behind being below beside besides best better between beyond both
but by came can cannot cant come comes could couldn did didn do does doesn doing don done down due during each either
else elsewhere enough even ever every everybody everyone everything everywhere except far few for former forth
from further furthermore gave get gets getting give given gives go goes going gone got had hadn hardly has hasn have haven
having he hence her here hereby herein hers herself him himself his hither how however if in indeed inside instead into
is isn it its itself just keep keeps kept knew know known knows last lately later latter least less lest let like
likely ll made mainly make makes making many may maybe me mean meanwhile might mightn mine more moreover most mostly
much must mustn my myself namely near nearly necessary need needn needs neither never nevertheless next no nobody
none nor not nothing now nowhere of off often oh on once one ones only onto or other others otherwise ought our ours
ourselves out outside over own per perhaps please quite rather re really regarding said same saw say saying
says see seem seemed seeming seems seen several shall shan she should shouldn since so some somebody somehow someone
something sometime sometimes somewhat somewhere soon still such take taken takes taking tell than thanks that the
their theirs them themselves then thence there thereafter thereby therefore therein these they thing things think this
thorough those though through throughout thus till to together too took toward towards tried tries truly try trying
under unless unlike until up upon us use used uses using usually various ve very via want wants was wasn way we well
went were weren what whatever when whence whenever where whereas whereby wherein wherever whether which while whither
who whoever whole whom whose why will with within without won would wouldn yes yet you your yours yourself yourselves
"""

ENGLISH: Final = frozenset(_WORDS.split())
