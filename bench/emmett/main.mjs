// Appends events with emmett's PostgreSQL event store for some seconds, and prints how many a second:
// node main.mjs DATABASE-URL IN-FLIGHT SECONDS.
//
// Every event is the first of a stream of its own, as a sale is. Nothing is read or decided before it.
import { STREAM_DOES_NOT_EXIST } from '@event-driven-io/emmett';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import pg from 'pg';
import { v7 as uuid } from 'uuid';

/** As many connections as a node of Caudal has. */
const CONNECTIONS = 20;
const WARM_UP_MS = 1_000;

const [url, clients, seconds] = process.argv.slice(2);
if (!(url && clients > 0 && seconds > 0)) throw new Error('DATABASE-URL IN-FLIGHT SECONDS');

const [agency, group, sender, recipient] = Array.from({ length: 4 }, () => uuid());

/** What a sale of Caudal writes, with its personal part about as long as a sealed one. */
function created(id) {
  const terms = (rate) => ({ rate, utilityType: 'fixed' });
  const transfer = (debit, credit, amount, code) => ({ debit, credit, amount, code });
  return {
    type: 'RemittanceCreated',
    data: {
      id,
      sale: {
        code: 'R-000001',
        seller: agency,
        agency,
        sender,
        recipient,
        group,
        terms: { exchangeRate: '320', managerCommission: terms('2'), agencyCommission: terms('1') },
        quote: {
          amount: '100.00',
          payout: '32000.00',
          currencyTo: 'CUP',
          exchangeRate: '320',
          managerFee: '2.00',
          agencyFee: '1.00',
          agentFee: '0.00',
          totalFee: '3.00',
          totalToPay: '103.00',
        },
      },
      delivery: { method: 'home' },
      entry: {
        transfers: [
          transfer(`balance/${agency}/${group}/CUP`, 'remittances_pending/CUP', '32000.00', 'sale'),
          transfer(`commission_receivable/${agency}/USD`, 'deferred_commission/USD', '2.00', 'commission'),
        ],
      },
      personal: {
        subject: recipient,
        sealed: 'bm90IHNlYWxlZCwgYW5kIGFib3V0IGFzIGxvbmcgYXMgd2hhdCBpcw==',
      },
    },
  };
}

const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
const store = getPostgreSQLEventStore(url, { connectionOptions: { pool } });
await store.schema.migrate();

const begin = performance.now() + WARM_UP_MS;
const end = begin + seconds * 1_000;
let appended = 0;

async function client() {
  while (performance.now() < end) {
    const id = uuid();
    await store.appendToStream(`remittance-${id}`, [created(id)], {
      expectedStreamVersion: STREAM_DOES_NOT_EXIST,
    });
    const now = performance.now();
    if (now >= begin && now < end) appended += 1;
  }
}

await Promise.all(Array.from({ length: Number(clients) }, client));
await store.close();
await pool.end();
process.stdout.write(`${appended / seconds}\n`);
