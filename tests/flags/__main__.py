"""`python -m tests.flags` adds a line to the committed table for each flag that is new; nothing in
it changes.
"""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

if __name__ == "__main__":
    from tests.flags.inventory import TABLE, committed, now, owned, text

    table, before = committed(), TABLE.read_text(encoding="utf-8")
    for owner, words in owned(now()).items():
        for word, (field, *places) in words.items():
            _, *known = table.setdefault(owner, {}).setdefault(word, [field])
            table[owner][word][1:] = sorted({*known, *places})
    after = text({owner: dict(sorted(words.items())) for owner, words in sorted(table.items())})
    TABLE.write_text(after, encoding="utf-8")
    print(f"{len(after.splitlines()) - len(before.splitlines())} lines added to {TABLE}")
