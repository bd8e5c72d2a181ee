import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { beforeAll, expect, it } from 'vitest';
import type { Problem } from '~/shared/lib/problem';
import { Effect } from './Effect';

beforeAll(async () => {
  // Texts show as their keys.
  await i18next
    .use(initReactI18next)
    .init({ lng: 'es', resources: {}, nsSeparator: false, keySeparator: false });
});

const show = (refusal: Problem) =>
  render(
    <MantineProvider env="test">
      <Effect preview={null} refusal={refusal} />
    </MantineProvider>,
  );

it('says why the rules would refuse the write', () => {
  show({ status: 409, code: 'balance_insufficient', detail: 'El dinero ya se gastó.', fields: [] });
  expect(screen.getByRole('status')).toHaveTextContent('El dinero ya se gastó.');
});

it.each([
  { status: 0, code: 'network' },
  { status: 503, code: 'unavailable' },
])('says nothing where the preview failed with $code, since the write may go through', (failure) => {
  show({ ...failure, detail: 'No hubo respuesta.', fields: [] });
  expect(screen.queryByRole('status')).toBeNull();
});
