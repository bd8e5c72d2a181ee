import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, it } from 'vitest';
import { makeBackend } from './mocks/backend';
import { renderApp, startServer } from './renderApp';

const server = startServer();

it('a remittance that another completes shows completed without a reload, resumed after a cut', async () => {
  const backend = makeBackend();
  const resumed: (string | null)[] = [];
  let push: ((text: string) => void) | undefined;
  let cut: (() => void) | undefined;
  server.use(
    http.get('*/api/events/stream', ({ request }) => {
      resumed.push(request.headers.get('Last-Event-ID'));
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          push = (text) => controller.enqueue(new TextEncoder().encode(text));
          cut = () => controller.close();
        },
      });
      return new HttpResponse(stream, { headers: { 'Content-Type': 'text/event-stream' } });
    }),
    ...backend.handlers,
  );
  const change = (position: number, id: string) =>
    `id: ${position}\nevent: change\ndata: ${JSON.stringify({ position, kind: 'remittance', id })}\n\n`;

  renderApp('/invoice/list/?size=5');
  await screen.findByText('R-000023');
  expect(screen.queryByText('Entregada')).not.toBeInTheDocument();

  const row = backend.remittances.find(({ code }) => code === 'R-000020');
  if (!row) throw new Error('no such row');
  row.status = 3;
  push?.(change(8, row.id));
  expect(await screen.findByText('Entregada')).toBeVisible();

  cut?.();
  // First from the position of the profile, then from the last event seen.
  await expect.poll(() => resumed.at(-1), { timeout: 5_000 }).toBe('8');
  expect(resumed[0]).toBe('7');
}, 15_000);
