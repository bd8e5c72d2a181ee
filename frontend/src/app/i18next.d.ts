import type auth from '~/features/auth/i18n/es.json';
import type remittances from '~/features/remittances/i18n/es.json';
import type common from '~/shared/i18n/es.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: { common: typeof common; auth: typeof auth; remittances: typeof remittances };
  }
}
