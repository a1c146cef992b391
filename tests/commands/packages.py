# SPDX-License-Identifier: BSD-3-Clause
"""The packages of this machine, and which of them a bare machine has after quickstart."""
import os
import re
import subprocess

NAMES = re.compile(r"(?:^|, )([\w.+-]+)")


class Packages:
    """why[NAME] says why a package will be there."""

    def __init__(self, listed):
        form = r"${db:Status-Status}\t${Package}\t${Essential}\t${Provides}\t${Pre-Depends}, ${Depends}\n"
        said = subprocess.run(["dpkg-query", "-W", "-f", form], stdout=subprocess.PIPE, check=True, text=True).stdout
        rows = [line.split("\t")[1:] for line in said.splitlines() if line.startswith("installed\t")]
        # of each choice the first
        self.needs = {name: NAMES.findall(needs) for name, _, _, needs in rows}
        self.providers = {}
        for name, _, provides, _ in rows:
            for virtual in NAMES.findall(provides):
                self.providers.setdefault(virtual, set()).add(name)
        self.essential = [name for name, essential, _, _ in rows if essential == "yes"]
        self.why = self.all_of(listed)

    def all_of(self, listed):
        """The packages of a machine with those of some lists, each with why it is there."""
        why = {name: "in quickstart's lists" for name in listed} | {name: "essential" for name in self.essential}
        waiting = list(why)
        while waiting:
            name = waiting.pop(0)
            for need in self.needs.get(name, ()):
                # of several that provide something, apt may choose any
                real = {need} if need in self.needs else self.providers.get(need, set())
                for known in {need} | (real if len(real) == 1 else set()):
                    if known not in why:
                        why[known] = f"needed by {name}"
                        waiting.append(known)
        return why

    def owners(self, paths):
        """For each path a package that has its file, one that will be there if it can be, or None."""
        names = [{path, os.path.realpath(path)} for path in paths]
        for found in names:
            found |= {name[4:] if name.startswith("/usr/") else "/usr" + name for name in found}
        ask = ["dpkg-query", "-S", *sorted(set().union(*names))]
        said = subprocess.run(ask, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        have = {}
        for line in said.splitlines():
            if not line.startswith("diversion "):
                owners, file = line.split(": ", 1)
                have.setdefault(file, []).extend(owner.split(":")[0] for owner in owners.split(", "))
        for found in names:
            owners = [owner for name in sorted(found) for owner in have.get(name, ())]
            yield next((owner for owner in owners if owner in self.why), owners[0] if owners else None)
