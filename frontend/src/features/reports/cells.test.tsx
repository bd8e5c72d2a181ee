import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Texts } from '~/shared/lib/texts';
import { cell } from './cells';

const reader = { t: ((key: string) => key) as unknown as Texts, locale: 'es-ES', zone: 'UTC' };

it.each([
  ['************6791', ['•••• 6791']],
  ['9225061234567890', ['9225 0612', '3456 7890']],
])('a card’s number %s is shown as in the lists, and breaks in its middle alone', (card, parts) => {
  const { container } = render(
    cell(reader, { key: 'card', header: 'reports:columns.card', kind: 'card' }, { card }),
  );
  expect(container.textContent).toBe(parts.join(' '));
  const unbroken = container.querySelectorAll('span[class*=time]');
  expect([...unbroken].map(({ textContent }) => textContent)).toEqual(parts);
});
