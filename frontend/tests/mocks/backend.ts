import { HttpResponse, http } from 'msw';
import type { Customer, CustomerInput, Profile, Remittance, RemittanceInput } from '~/api';
import * as data from './data';

/** A write as it reached the backend. */
export interface Seen {
  method: string;
  path: string;
  key: string | null;
  headers: Headers;
  body: unknown;
}

/** A preview stores nothing. */
export const isPreview = (request: Request) => new URL(request.url).searchParams.get('preview') === 'true';

/** A write that moves nothing, where it is a preview. */
const previewed = ({ request }: { request: Request }) => {
  if (!isPreview(request)) return;
  return HttpResponse.json({
    figures: null,
    remainingBalance: null,
    status: 0,
    transfers: [],
    warnings: [],
  });
};

/** A stand-in for the server with a memory of its own, for tests that have no server. */
export function makeBackend(profile: Profile = data.profiles.clerk) {
  const remittances: Remittance[] = Array.from({ length: 23 }, (_, n) => data.remittance(23 - n));
  const customers: Customer[] = [...data.customers];
  const seen: Seen[] = [];
  let next = 500;

  const page = <T>(rows: T[], url: URL) => {
    const size = Number(url.searchParams.get('RecordsPerPage') ?? '10') || rows.length || 1;
    const current = Number(url.searchParams.get('CurrentPage') ?? '1');
    return HttpResponse.json(
      {
        data: rows.slice((current - 1) * size, current * size),
        itemsPerPage: size,
        currentPage: current,
        totalPages: Math.ceil(rows.length / size),
        totalRecords: rows.length,
      },
      { headers: { 'X-Ledger-Position': '7' } },
    );
  };
  const problem = (status: number, code: string, detail: string, errors?: object[]) =>
    HttpResponse.json(
      { type: `/problems/${code}`, title: detail, status, code, detail, errors },
      { status, headers: { 'Content-Type': 'application/problem+json' } },
    );
  const find = (id: unknown) => remittances.find((row) => row.id === id);
  const note = async (request: Request) => {
    const copy = request.clone();
    const json = request.headers.get('Content-Type')?.includes('json');
    const body: unknown = json
      ? await copy.json()
      : request.headers.get('Content-Type')
        ? await copy.formData()
        : null;
    seen.push({
      method: request.method,
      path: new URL(request.url).pathname,
      key: request.headers.get('Idempotency-Key'),
      headers: request.headers,
      body,
    });
    return body;
  };
  const quote = (amount: string) => ({
    amount,
    payout: '31850.00',
    currencyTo: 'CUP',
    exchangeRate: '318.5',
    managerFee: '2.00',
    agencyFee: '5.00',
    agentFee: '0.00',
    totalFee: '7.00',
    totalToPay: '107.00',
    remainingBalance: '100350.00',
  });
  const move =
    (changes: (row: Remittance) => Partial<Remittance>) =>
    async ({ request, params }: { request: Request; params: Record<string, unknown> }) => {
      await note(request);
      const row = find(params.id);
      if (!row) return problem(404, 'not_found', 'No existe');
      Object.assign(row, changes(row));
      return HttpResponse.json(row, { headers: { 'X-Ledger-Position': '42' } });
    };

  const handlers = [
    http.post('*/api/auth0/token', () => HttpResponse.json({ accessToken: 'token-1', expiresIn: 900 })),
    http.post('*/api/auth0/logout', () => new HttpResponse(null, { status: 204 })),
    http.post('*/api/auth0/login', async ({ request }) => {
      const { password } = (await request.json()) as { password: string };
      return password === 'Caudal#2026'
        ? HttpResponse.json({ token: { accessToken: 'token-1', expiresIn: 900 }, profile })
        : problem(401, 'bad_credentials', 'El correo o la contraseña no son correctos');
    }),
    http.get('*/api/auth0/options', () =>
      HttpResponse.json({
        passwords: { policy: 'composed', minLength: 8, maxLength: 15 },
        signOn: null,
        passkeys: false,
      }),
    ),
    http.get('*/api/users/profile', () =>
      HttpResponse.json(profile, { headers: { 'X-Ledger-Position': '7' } }),
    ),
    http.get(
      '*/api/events/stream',
      () => new HttpResponse(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } }),
    ),
    http.get('*/api/nomenclators/currency', ({ request }) =>
      page(
        ['CUP', 'EUR', 'MLC', 'USD'].map((code, n) => ({
          id: data.uuid(10, n),
          code,
          symbol: '$',
          exchangeRate: '1',
          distributionRate: '0.00',
          accounted: true,
          enabled: true,
        })),
        new URL(request.url),
      ),
    ),
    http.get('*/api/nomenclators/cuban_states', () => HttpResponse.json({ results: data.provinces })),
    http.get('*/api/nomenclators/cuban_cities', ({ request }) => {
      const province = new URL(request.url).searchParams.get('provinceId');
      return HttpResponse.json({
        results: data.municipalities.filter((one) => !province || one.provinceId === province),
      });
    }),
    http.get('*/api/agency', ({ request }) => page(data.agencies, new URL(request.url))),
    http.get('*/api/agent', ({ request }) => page([], new URL(request.url))),
    http.get('*/api/proposals', ({ request }) => page([], new URL(request.url))),
    http.get('*/api/dealer/directory', ({ request }) =>
      page(
        data.dealers.filter(({ type }) => type === 0),
        new URL(request.url),
      ),
    ),
    http.get('*/api/dealer', ({ request }) => {
      const url = new URL(request.url);
      const type = url.searchParams.get('type');
      const owner = url.searchParams.get('dealerId');
      return page(
        data.dealers.filter(
          (one) => (!type || one.type === Number(type)) && (!owner || one.dealerId === owner),
        ),
        url,
      );
    }),
    http.get('*/api/customer/sender', ({ request }) => {
      const url = new URL(request.url);
      const name = url.searchParams.get('name')?.toLowerCase() ?? '';
      return page(
        customers.filter((one) => one.customerType === 0 && one.fullName?.toLowerCase().includes(name)),
        url,
      );
    }),
    http.get('*/api/customer/reciever', ({ request }) => {
      const url = new URL(request.url);
      return page(
        customers.filter(
          (one) => one.customerType === 1 && one.senderId === url.searchParams.get('senderId'),
        ),
        url,
      );
    }),
    http.get('*/api/customer/:id/details', ({ params }) => {
      const found = customers.find(({ id }) => id === params.id);
      return found ? HttpResponse.json(found) : problem(404, 'not_found', 'No existe');
    }),
    http.get('*/api/customer/:id/document/pictures', () => HttpResponse.json({ files: [] })),
    http.get('*/api/customer/:id/cards', ({ request }) => page([], new URL(request.url))),
    http.post('*/api/customer', async ({ request }) => {
      const input = (await note(request)) as CustomerInput;
      const fullName = [input.name, input.lastName, input.secondSurname].filter(Boolean).join(' ');
      const made = data.customer(next++, { ...input, fullName, card: [] });
      customers.push(made);
      return HttpResponse.json({ id: made.id }, { status: 201 });
    }),
    http.get('*/api/remittances/fees', ({ request }) => {
      const url = new URL(request.url);
      const amount = url.searchParams.get('Amount');
      if (amount === '9999999')
        return problem(422, 'invalid', 'Datos no válidos', [
          { field: 'Amount', code: 'too_large', detail: 'El importe es demasiado grande' },
        ]);
      return HttpResponse.json(quote(amount ?? '100.00'));
    }),
    http.get('*/api/remittances/:id/history', ({ request, params }) => {
      const row = find(params.id);
      return row ? page(data.history(row), new URL(request.url)) : problem(404, 'not_found', 'No existe');
    }),
    http.get('*/api/remittances/summary', () =>
      HttpResponse.json({
        total: remittances.length,
        statuses: ([0, 1, 2, 3, 4] as const).map((status) => ({
          status,
          remittances: remittances.filter((row) => row.status === status).length,
          payouts: [],
        })),
      }),
    ),
    http.get('*/api/remittances', ({ request }) => {
      const url = new URL(request.url);
      const status = url.searchParams.get('status');
      const query = url.searchParams.get('query')?.toLowerCase();
      return page(
        remittances.filter(
          (row) =>
            (status === null || row.status === Number(status)) &&
            (!query ||
              row.code.toLowerCase().includes(query) ||
              row.recipient.name?.toLowerCase().includes(query)),
        ),
        url,
      );
    }),
    http.post('*/api/remittances', previewed),
    http.all('*/api/remittances/*', previewed),
    http.post('*/api/remittances', async ({ request }) => {
      const input = (await note(request)) as RemittanceInput;
      if (input.reference === 'repetida')
        return problem(409, 'reference_taken', 'Esa referencia ya existe', [
          { field: 'reference', code: 'taken', detail: 'Esa referencia ya existe' },
        ]);
      const row = data.remittance(next++, { status: 0 });
      remittances.unshift(row);
      return HttpResponse.json(
        { id: row.id, code: row.code, status: 0, quote: quote(String(input.amount)) },
        { status: 201, headers: { 'X-Ledger-Position': '43' } },
      );
    }),
    http.put(
      '*/api/remittances/:id/assign/dealer',
      move(() => ({ status: 2, dealer: { id: data.dealerId, name: 'Distribuidora Habana' } })),
    ),
    http.put(
      '*/api/remittances/:id/error',
      move(() => ({ status: 4, reason: 'x' })),
    ),
    http.post(
      '*/api/remittances/:id/cancel',
      move(() => ({ status: 1 })),
    ),
    http.post(
      '*/api/remittances/:id/complete',
      move(() => ({ status: 3 })),
    ),
    http.get('*/api/files/:id', () =>
      HttpResponse.arrayBuffer(
        Uint8Array.from(
          atob(
            'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          ),
          (char) => char.charCodeAt(0),
        ).buffer,
        { headers: { 'Content-Type': 'image/png' } },
      ),
    ),
  ];
  return { handlers, remittances, customers, seen, problem };
}
