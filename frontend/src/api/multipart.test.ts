import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { baseQuery } from './baseQuery';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

it('sends images as form data, which the generator would lose in JSON', async () => {
  let type: string | null = null;
  let names: string[] = [];
  let size = 0;
  server.use(
    http.post('*/api/complete', async ({ request }) => {
      type = request.headers.get('Content-Type');
      const form = await request.formData();
      names = [...form.keys()];
      size = (form.get('identificationDocument') as File).size;
      return HttpResponse.json({});
    }),
  );
  const picture = new File([new Uint8Array(300)], 'id.jpg', { type: 'image/jpeg' });
  const call = {
    url: 'http://localhost/api/complete',
    method: 'POST',
    body: { identificationDocument: picture, firmPicture: picture },
  };
  await baseQuery(call, { signal: new AbortController().signal } as never, {});
  expect(type).toMatch(/^multipart\/form-data; boundary=/);
  expect(names).toEqual(['identificationDocument', 'firmPicture']);
  expect(size).toBe(300);
});
