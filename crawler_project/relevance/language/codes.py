"""Language codes as users write them, whatever a model calls its languages."""

from __future__ import annotations

from crawler_project.core.values import UNKNOWN

_ISO_639_3_PAIRS = (
    "aar:aa abk:ab afr:af aka:ak amh:am ara:ar arg:an asm:as ava:av ave:ae aym:ay aze:az bak:ba bam:bm bel:be "
    "ben:bn bis:bi bod:bo bos:bs bre:br bul:bg cat:ca ces:cs cha:ch che:ce chu:cu chv:cv cor:kw cos:co cre:cr "
    "cym:cy dan:da deu:de div:dv dzo:dz ell:el eng:en epo:eo est:et eus:eu ewe:ee fao:fo fas:fa fij:fj fin:fi "
    "fra:fr fry:fy ful:ff gla:gd gle:ga glg:gl glv:gv grn:gn guj:gu hat:ht hau:ha hbs:sh heb:he her:hz hin:hi "
    "hmo:ho hrv:hr hun:hu hye:hy ibo:ig ido:io iii:ii iku:iu ile:ie ina:ia ind:id ipk:ik isl:is ita:it jav:jv "
    "jpn:ja kal:kl kan:kn kas:ks kat:ka kau:kr kaz:kk khm:km kik:ki kin:rw kir:ky kom:kv kon:kg kor:ko kua:kj "
    "kur:ku lao:lo lat:la lav:lv lim:li lin:ln lit:lt ltz:lb lub:lu lug:lg mah:mh mal:ml mar:mr mkd:mk mlg:mg "
    "mlt:mt mon:mn mri:mi msa:ms mya:my nau:na nav:nv nbl:nr nde:nd ndo:ng nep:ne nld:nl nno:no nob:no nor:no "
    "nya:ny oci:oc oji:oj ori:or orm:om oss:os pan:pa pli:pi pol:pl por:pt pus:ps que:qu roh:rm ron:ro run:rn "
    "rus:ru sag:sg san:sa sin:si slk:sk slv:sl sme:se smo:sm sna:sn snd:sd som:so sot:st spa:es sqi:sq srd:sc "
    "srp:sr ssw:ss sun:su swa:sw swe:sv tah:ty tam:ta tat:tt tel:te tgk:tg tgl:fil tha:th tir:ti ton:to tsn:tn "
    "tso:ts tuk:tk tur:tr twi:ak uig:ug ukr:uk urd:ur uzb:uz ven:ve vie:vi vol:vo wln:wa wol:wo xho:xh yid:yi "
    "yor:yo zha:za zho:zh zul:zu "
    # individual languages and the macrolanguage (ISO 639-3) that people crawl for
    "cmn:zh yue:zh wuu:zh nan:zh hak:zh gan:zh hsn:zh lzh:zh cdo:zh arb:ar arz:ar ary:ar apc:ar ajp:ar acm:ar "
    "acq:ar aeb:ar ars:ar pes:fa prs:fa zsm:ms zlm:ms ekk:et lvs:lv azj:az azb:az uzn:uz khk:mn plt:mg swh:sw "
    "npi:ne ory:or pbt:ps ydd:yi kmr:ku gug:gn fuv:ff gaz:om quy:qu quz:qu ayr:ay knc:kr aln:sq"
)
_ISO_639_3 = dict(pair.split(":") for pair in _ISO_639_3_PAIRS.split())
_ALIASES = {
    "un": UNKNOWN, "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "nb": "no", "nn": "no", "tl": "fil",
    "tw": "ak", "bh": "bho",
}  # fmt: skip


def language_code(label: str) -> str:
    """Give the code that users write for a model's label: ``__label__kor_Hang`` → ``ko``.

    All written Chinese is ``zh``, both Norwegians ``no``, Hebrew ``he``, Tagalog ``fil``; a
    language that has no two-letter code keeps its three letters; nothing known is ``und``.
    """
    parts = label.removeprefix("__label__").replace("_", "-").lower().split("-")
    primary = parts[0]
    if primary == "als":  # Wikipedia's name for Alemannic, but Tosk Albanian in ISO 639-3 with a script
        return "sq" if len(parts) > 1 else "gsw"
    return _ALIASES.get(primary) or _ISO_639_3.get(primary) or primary or UNKNOWN
