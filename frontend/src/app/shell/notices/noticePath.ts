import type { News, Role } from '~/api';
import { screenAt } from '../../routes';

/** Reader of a notice. */
interface Reader {
  role: Role;
  /** Id of the reader's own party. */
  id: string;
}

/** A screen, and its address for a record. */
interface Address {
  screen: string;
  to: string;
}

/** The screen's list with a search that finds the record. */
const found = (screen: string, { name, id }: News): Address => ({
  screen,
  to: `${screen}?${new URLSearchParams({ query: name ?? '', open: id })}`,
});
const whole = (screen: string): Address => ({ screen, to: screen });
const byName = (screen: string, name: string): Address => ({
  screen,
  to: `${screen}?${new URLSearchParams({ query: name })}`,
});

/** Screens of a record, best first; the reader may not have the first. */
function addressesOf(news: News, own: boolean): Address[] {
  const { kind, id, name, customerType } = news;
  switch (kind) {
    case 'remittance':
      return [found('/invoice/list/', news)];
    case 'movement':
      return [found('/balances/movements/', news)];
    case 'closure':
      return [{ screen: '/accounting/closures/', to: `/accounting/closures/?closure=${id}` }];
    case 'customer':
      return name === null ? [] : [found(customerType === 0 ? '/issuers/list' : '/recipients', news)];
    case 'party':
      if (name === null) return [];
      if (own) return [whole('/users/profile/')];
      return [
        byName('/users/list/', name),
        { screen: '/agent/form/:id', to: `/agent/form/${id}` },
        byName('/dealers', name),
      ];
    case 'api_key':
      return [whole('/users/keys/')];
    case 'webhook':
      return [whole('/users/webhooks/')];
    case 'rates':
      return [whole('/nomenclators/rates/')];
    case 'currency':
      return [whole('/nomenclators/currencies/')];
    case 'place':
      return [whole('/nomenclators/municipality/')];
    case 'payment_group':
      return [whole('/nomenclators/payments/groups/')];
    case 'proposal':
      return [{ screen: '/approvals/', to: `/approvals/?proposal=${id}` }];
    case 'tenant':
      return [];
  }
}

/** Address of a record on a screen that the reader has; null where none is, and for what was deleted. */
export function noticePath(news: News, { role, id }: Reader): string | null {
  if (!news.isVisible) return null;
  const address = addressesOf(news, news.id === id).find(({ screen }) =>
    screenAt(screen)?.roles.includes(role),
  );
  return address?.to ?? null;
}
