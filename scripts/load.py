#!/usr/bin/env python3
"""Sells at a server while somebody upgrades it: scripts/load.py BASE PASSWORD-FILE, until SIGTERM.

BASE is like http://127.0.0.1:8080; the tenant `load` is there, with the manager manager@load.example. Each sale has an
idempotency key and is repeated under it until it is answered. In the end every answered sale is there once.
scripts/try-upgrade takes its parts.
"""

import json
import signal
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

TENANT, MANAGER, AGENCY = "load", "manager@load.example", "agency@load.example"
WORKERS = 4
# A node that stops, or waits for another, says so; the sale is repeated under its key.
REPEATED = (429, 502, 503, 504)
# A list of all has at most 10,000 rows.
PAUSE = 0.05


def call(base, method, path, token=None, body=None, key=None):
    headers = {"X-Tenant": TENANT, "Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if key:
        headers["Idempotency-Key"] = key
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(f"{base}/api{path}", data, headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or b"null")


def login(base, who, password):
    answer = call(base, "POST", "/auth0/login", body={"email": who, "password": password})
    return answer["token"]["accessToken"]


def prepare(base, password):
    """Sets a business up, as its manager. Returns an agency's token, and the body of its sales."""
    manager = login(base, MANAGER, password)

    def post(token, path, body):
        return call(base, "POST", path, token, body, str(uuid.uuid4())).get("id")

    terms = {"name": "CUP", "currencyTo": "CUP", "exchangeRate": "320", "managerCommission": {"rate": "2"}}
    group = post(manager, "/nomenclators/payment_group", terms)
    agency = {"name": "Agency", "email": AGENCY, "password": password}
    agency["paymentGroups"] = [{"paymentGroupId": group, "agencyCommission": {"rate": "1"}}]
    agency = post(manager, "/agency", agency)
    post(manager, f"/sources/deposit/agency/{agency}", {"paymentGroupId": group, "amount": "900000000"})
    token = login(base, AGENCY, password)
    province = call(base, "GET", "/nomenclators/cuban_states", token)["results"][0]["id"]
    city = call(base, "GET", f"/nomenclators/cuban_cities?provinceId={province}", token)["results"][0]["id"]
    sender = post(token, "/customer", {"customerType": 0, "name": "Ana"})
    recipient = {"customerType": 1, "senderId": sender, "name": "Marta", "addressLine": "Calle 23"}
    recipient = post(token, "/customer", {**recipient, "provinceId": province, "municipalityId": city})
    sale = {"senderId": sender, "recipientId": recipient, "paymentGroupId": group, "deliveryMethod": "home"}
    return token, sale


def sales(base, token):
    """The ids of all sales."""
    return [sale["id"] for sale in call(base, "GET", "/remittances?RecordsPerPage=0", token)["data"]]


class Load:
    """Sales at all servers in turn, and what was answered."""

    def __init__(self, token, sale, bases):
        self.token, self.sale, self.bases = token, sale, bases
        self.answered, self.refused, self.repeated = {}, [], 0
        self.lock, self.over = threading.Lock(), False
        self.workers = [threading.Thread(target=self.work, args=(number,)) for number in range(WORKERS)]

    def __enter__(self):
        for worker in self.workers:
            worker.start()
        return self

    def __exit__(self, *_):
        self.over = True
        for worker in self.workers:
            worker.join()

    def work(self, number):
        turn = number
        while not self.over:
            key, sale = str(uuid.uuid4()), {**self.sale, "amount": str(20 + turn % 9)}
            # Repeated to its end, even where the load is over meanwhile: nobody could tell else whether it is there.
            for _ in range(1200):
                turn += 1
                bases = self.bases
                base = bases[turn % len(bases)]
                try:
                    answer = call(base, "POST", "/remittances", self.token, sale, key)
                except urllib.error.HTTPError as error:
                    if error.code not in REPEATED:
                        with self.lock:
                            self.refused.append(f"{base}: {error.code} {error.read()[:300]}")
                        break
                except OSError:
                    pass
                else:
                    with self.lock:
                        self.answered[answer["id"]] = base
                    time.sleep(PAUSE)
                    break
                with self.lock:
                    self.repeated += 1
                time.sleep(0.05)
            else:
                with self.lock:
                    self.refused.append("a sale got no answer")

    def sell(self, base, token):
        """One sale at a server with a session."""
        answer = call(base, "POST", "/remittances", token, {**self.sale, "amount": "21"}, str(uuid.uuid4()))
        with self.lock:
            self.answered[answer["id"]] = base

    def run_for(self, seconds):
        before = len(self.answered)
        time.sleep(seconds)
        return len(self.answered) - before

    def judge(self, found):
        """Why what is there is not what was answered; none where it is."""
        if self.refused:
            return f"{len(self.refused)} sales were refused, like {self.refused[0]}"
        lost = set(self.answered) - set(found)
        if lost or len(found) != len(set(found)):
            return f"{len(lost)} of {len(self.answered)} answered sales are lost, {len(found) - len(set(found))} doubled"
        if len(found) != len(self.answered):
            return f"{len(self.answered)} sales were answered, and {len(found)} are there"
        return None


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: scripts/load.py BASE PASSWORD-FILE")
    base = sys.argv[1]
    with open(sys.argv[2]) as file:
        password = file.read().strip()
    over = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    try:
        token, sale = prepare(base, password)
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.url}: {error.code} {error.read()[:300]}")
    with Load(token, sale, [base]) as load:
        print("selling", flush=True)
        over.wait()
    wrong = load.judge(sales(base, login(base, AGENCY, password)))
    if wrong:
        sys.exit(wrong)
    print(f"{len(load.answered)} sales are there once; {load.repeated} requests were repeated")


if __name__ == "__main__":
    main()
