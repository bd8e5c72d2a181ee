import { renderHook } from '@testing-library/react';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startTexts } from '~/app/texts';
import type { Problem } from '~/shared/lib/problem';
import { useChanges } from '~/shared/ui/form/useChanges';

interface Body {
  name: string;
  phone: string | null;
  city: string | null;
  password?: string;
}
const READ: Body = { name: 'Ana', phone: null, city: 'Miami' };

function opened() {
  return renderHook(({ body }) => useChanges(() => body), { initialProps: { body: READ } });
}

const conflict = (now: unknown): Problem => ({
  status: 409,
  code: 'changed_since_read',
  detail: '',
  fields: [{ field: 'phone', code: 'changed_since_read', detail: 'Otra persona lo cambió.', now }],
});

beforeAll(startTexts);

describe('a form of something that others change too', () => {
  it('sends only the changed fields, with their former values', async () => {
    const { result, rerender } = opened();
    // The list behind the form loads anew, with what another changed: the form was opened before.
    rerender({ body: { ...READ, city: 'Tampa' } });
    const call = vi.fn(async () => undefined);
    await result.current.send(result.current.changed({ ...READ, phone: '+5352345678', password: 'x' }), call);
    expect(call).toHaveBeenCalledWith({ phone: '+5352345678', password: 'x', was: { phone: null } });
    // Sent once it is what the form goes on from.
    await result.current.send(result.current.changed({ ...READ, phone: '+5352345678' }), call);
    expect(call).toHaveBeenLastCalledWith({ was: {} });
  });

  it('shows the stored value of a conflicting field, and overwrites it on the second submission', async () => {
    const { result } = opened();
    const mine = { ...READ, phone: '+5352345678' };
    const send = (call: (body: unknown) => Promise<unknown>) =>
      result.current.send(result.current.changed(mine), call);
    const refused = send(async () => {
      throw conflict('+5359999999');
    });
    await expect(refused).rejects.toMatchObject({
      fields: [{ field: 'phone', detail: expect.stringContaining('+5359999999') }],
    });
    const again = vi.fn(async () => undefined);
    await send(again);
    expect(again).toHaveBeenCalledWith({ phone: '+5352345678', was: { phone: '+5359999999' } });
  });

  it('shows the stored value of a conflicting part of a field, and overwrites that part on the second submission', async () => {
    const read = { commission: { rate: '5', minimalAmount: null as string | null } };
    const { result } = renderHook(() => useChanges(() => read));
    const mine = { commission: { rate: '7', minimalAmount: null } };
    const send = (call: (body: unknown) => Promise<unknown>) =>
      result.current.send(result.current.changed(mine), call);
    const refused = send(async () => {
      throw {
        ...conflict(null),
        fields: [
          {
            field: 'commission.rate',
            code: 'changed_since_read',
            detail: 'Otra persona lo cambió.',
            now: '6',
          },
        ],
      };
    });
    await expect(refused).rejects.toMatchObject({
      fields: [{ field: 'commission.rate', detail: expect.stringContaining('6') }],
    });
    const again = vi.fn(async () => undefined);
    await send(again);
    expect(again).toHaveBeenCalledWith({
      commission: { rate: '7', minimalAmount: null },
      was: { commission: { rate: '6', minimalAmount: null } },
    });
  });

  it('leaves other problems as they are', async () => {
    const { result } = opened();
    const other = { ...conflict(null), code: 'email_taken' };
    const sent = result.current.send({ name: 'Eva' }, async () => {
      throw other;
    });
    await expect(sent).rejects.toBe(other);
  });
});
