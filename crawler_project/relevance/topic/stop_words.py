"""English function words: what rule T1 takes out before stemming. Verbs of everyday speech are not among them."""

from __future__ import annotations

from typing import Final

_WORDS = """
a about above across after afterwards again against ain all almost alone along already also although always am among
an and another any anybody anyhow anyone anything anyway anywhere are aren around as at away back be became because
become becomes been before beforehand began behind being below beside besides between beyond both but by can cannot
cant could couldn did didn do does doesn doing don done down during each either else elsewhere every everybody
everyone everything everywhere except for former forth from further furthermore had hadn hardly has hasn have haven
having he hence her here hereby herein hers herself him himself his hither how however if in indeed inside into is isn
it its itself ll me mean meanwhile mightn mine more moreover most mostly mustn my myself namely near nearly needn
neither never nevertheless next no nobody none nor not nothing now nowhere of off often on once one ones only onto or
other others otherwise ought our ours ourselves out outside over own per perhaps re same several shan she should
shouldn since so some somebody somehow someone something sometime sometimes somewhat somewhere such than that the
their theirs them themselves then thence there thereafter thereby therefore therein these they this thorough those
though through throughout thus till to together too toward towards under unless unlike until up upon us ve very via
was wasn way we went were weren what whatever when whence whenever where whereas whereby wherein wherever whether
which while whither who whoever whom whose why will with within without won would wouldn you your yours yourself
yourselves
"""

ENGLISH: Final = frozenset(_WORDS.split())
