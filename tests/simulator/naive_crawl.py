"""The rules R1 to R19 as plainly as they can be written: dicts and linear scans, no project code."""

BFS, HARD, SOFT, TLD_ANCHOR, FILTER, LSWC, PERFECT = "bfs", "hard", "soft", "tld_anchor", "filter", "lswc", "perfect"


def directory(page):
    _, _, rest = page["url"].partition("://")
    path = rest[len(page["host"]) :].split("?")[0] or "/"
    return page["host"] + path[: path.rindex("/") + 1]


def perfect_pages(web):
    """R19: the target pages and their ancestors in the breadth-first tree."""
    parent = dict.fromkeys(web["seed_ids"])
    queue = list(parent)
    while queue:
        page = queue.pop(0)
        for link in web["links"]:
            if link["src"] == page and link["dst"] not in parent:
                parent[link["dst"]] = page
                queue.append(link["dst"])
    kept = set()
    for page in parent:
        if web["pages"][page]["lang"] == web["target_lang"]:
            while page is not None:
                kept.add(page)
                page = parent[page]
    return kept


def naive_crawl(web, params):
    """Give the page ids in order of download."""
    kind = params["strategy"]
    inherit, limit = params.get("inherit", True), params.get("limit")
    max_misses, max_distance = params.get("S", 3), params.get("T", 5)
    m, theta = params.get("m", 5), params.get("theta", 0.1)
    new_rule, recheck, unit_kind = (
        params.get("new_rule", "any"),
        params.get("recheck", False),
        params.get("unit", "host"),
    )
    target, pages = web["target_lang"], web["pages"]
    kept = perfect_pages(web) if kind == PERFECT else None
    queue = {}  # page -> dict(cls, d, parent)
    seq = {}
    downloaded, eff = [], {}
    at = {}  # d of downloaded pages
    seed_downloads = set()

    def unit(p):
        return directory(pages[p]) if unit_kind == "dir" else pages[p]["host"]

    def na_nr(p, key):
        same = [q for q in downloaded if key(q) == key(p)]
        return len(same), sum(pages[q]["lang"] == target for q in same)

    def host(p):
        return pages[p]["host"]

    def is_rich(p):
        na, nr = na_nr(p, unit)
        return na < m or nr >= theta * na

    def server_is_irrelevant(p):
        na, nr = na_nr(p, host)
        return nr == 0 and na >= max_misses

    def selection_key(p):
        if kind == LSWC and na_nr(p, host)[1] > 0:
            return (0, seq[p])
        return (queue[p]["cls"], seq[p])

    def classify(src, link):
        """The static class of a link, or None when it is filtered out."""
        dst, relevant = link["dst"], eff[src] == target
        if kind == PERFECT:
            return 0 if dst in kept else None
        if kind == BFS:
            return 0
        if kind == HARD:
            return 0 if relevant else None
        if kind == SOFT:
            return 0 if relevant else 1
        if kind == TLD_ANCHOR:
            return 0 if pages[dst]["tld"] in web["target_tlds"] or link["anchor_lang"] == target else None
        if kind == FILTER:
            na, _ = na_nr(dst, unit)
            if na == 0:
                ok = {
                    "any": True,
                    "target_parent": relevant,
                    "tld": pages[dst]["tld"] in web["target_tlds"],
                }[new_rule]
            else:
                ok = is_rich(dst)
            return (0 if relevant else 1) if ok else None
        d = 1 if relevant else at[src] + 1
        if d > max_distance or server_is_irrelevant(dst):
            return None
        if relevant:
            return 1 if host(src) == host(dst) else 2
        bump = eff[src] == "english" and at[src] == 1 and src not in seed_downloads
        return 3 + (d - 2) - (1 if bump else 0)

    def enqueue(p, cls, d, parent):
        if p in downloaded:
            return
        if p in queue:
            if (cls, d) < (queue[p]["cls"], queue[p]["d"]):
                queue[p] = {"cls": cls, "d": d, "parent": parent}
            return
        seq.setdefault(p, len(seq))
        queue[p] = {"cls": cls, "d": d, "parent": parent}

    for seed in web["seed_ids"]:
        if kept is None or seed in kept:
            enqueue(seed, 0, 1, None)

    while queue and (limit is None or len(downloaded) < limit):
        p = min(queue, key=selection_key)
        entry = queue.pop(p)
        if kind == LSWC and server_is_irrelevant(p):
            continue
        if kind == FILTER and recheck and na_nr(p, unit)[0] > 0 and not is_rich(p):
            continue
        downloaded.append(p)
        at[p] = entry["d"]
        if entry["parent"] is None:
            seed_downloads.add(p)
        eff[p] = pages[p]["lang"]
        if eff[p] == "unknown" and inherit:
            eff[p] = target if entry["parent"] is None else eff[entry["parent"]]
        for link in web["links"]:
            if link["src"] == p:
                cls = classify(p, link)
                if cls is not None:
                    d = (1 if eff[p] == target else at[p] + 1) if kind == LSWC else 1
                    enqueue(link["dst"], cls, d, p)
    return downloaded
