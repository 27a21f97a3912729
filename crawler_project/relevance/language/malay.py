"""Malay or Indonesian: both models call nearly all Malay Indonesian, everyday words tell them apart."""

from __future__ import annotations

import re
from typing import Final

_MALAY_WORDS: Final = (
    "ahad akaun arahan awak bahagian bahawa berbeza bolehkah cuba cukai fail filem gambarajah hantar "
    "hendak hospital ialah insurans isnin jadual jawatan kawalan kemas kenderaan keperluan kerana kerajaan kereta kod kos "
    "lelaki mahu maklumat memuat mencuba menerusi menghantar menyokong mesej nombor pautan pelayan pelayar pelbagai "
    "pembolehubah pengaturcaraan peranti percuma perisian perkhidmatan perniagaan persekitaran projek sahaja "
    "sebarang sekiranya sesawang seterusnya sila skrin sokongan syarikat tarikh teksi tetapan ubat universiti "
    "wang"
)
_INDONESIAN_WORDS: Final = (
    "akun bahwa beranda berbeda biaya bisa bisnis butuh coba daya dirilis diperbarui dukungan fitur gratis informasi jadwal "
    "jaringan kalian kantor karena keamanan kode layanan lingkungan lunak membutuhkan mencoba mendukung mengunduh meskipun "
    "mobil nomor pemrograman pengembang perangkat perbarui perusahaan pesan pria provinsi proyek rilis sedangkan senin server "
    "silakan surel tampilan tautan uang unduh unduhan unggah"
)
_MALAY: Final = frozenset(_MALAY_WORDS.split())
_INDONESIAN: Final = frozenset(_INDONESIAN_WORDS.split())
_WORDS: Final = re.compile(r"[a-z]{3,}")


def malay_or_indonesian(text: str, otherwise: str) -> str:
    """Give ``ms`` or ``id`` by which language has more of its everyday words in ``text``; a tie: ``otherwise``."""
    words = set(_WORDS.findall(text.lower()))
    malay, indonesian = len(words & _MALAY), len(words & _INDONESIAN)
    if malay == indonesian:
        return otherwise
    return "ms" if malay > indonesian else "id"
