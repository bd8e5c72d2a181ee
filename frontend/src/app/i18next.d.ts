import type entities from '~/entities/i18n/es.json';
import type account from '~/features/account/i18n/es.json';
import type accounting from '~/features/accounting/i18n/es.json';
import type agencies from '~/features/agencies/i18n/es.json';
import type agents from '~/features/agents/i18n/es.json';
import type approvals from '~/features/approvals/i18n/es.json';
import type audit from '~/features/audit/i18n/es.json';
import type auth from '~/features/auth/i18n/es.json';
import type balances from '~/features/balances/i18n/es.json';
import type dashboard from '~/features/dashboard/i18n/es.json';
import type dealers from '~/features/dealers/i18n/es.json';
import type debits from '~/features/debits/i18n/es.json';
import type delivery from '~/features/delivery/i18n/es.json';
import type disputes from '~/features/disputes/i18n/es.json';
import type imports from '~/features/imports/i18n/es.json';
import type issuers from '~/features/issuers/i18n/es.json';
import type keys from '~/features/keys/i18n/es.json';
import type limits from '~/features/limits/i18n/es.json';
import type movements from '~/features/movements/i18n/es.json';
import type nomenclators from '~/features/nomenclators/i18n/es.json';
import type recipients from '~/features/recipients/i18n/es.json';
import type remittances from '~/features/remittances/i18n/es.json';
import type reports from '~/features/reports/i18n/es.json';
import type screening from '~/features/screening/i18n/es.json';
import type users from '~/features/users/i18n/es.json';
import type webhooks from '~/features/webhooks/i18n/es.json';
import type common from '~/shared/i18n/es.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: {
      common: typeof common;
      auth: typeof auth;
      entities: typeof entities;
      remittances: typeof remittances;
      delivery: typeof delivery;
      disputes: typeof disputes;
      imports: typeof imports;
      issuers: typeof issuers;
      recipients: typeof recipients;
      dealers: typeof dealers;
      agencies: typeof agencies;
      agents: typeof agents;
      nomenclators: typeof nomenclators;
      keys: typeof keys;
      webhooks: typeof webhooks;
      approvals: typeof approvals;
      account: typeof account;
      users: typeof users;
      dashboard: typeof dashboard;
      balances: typeof balances;
      movements: typeof movements;
      debits: typeof debits;
      accounting: typeof accounting;
      reports: typeof reports;
      screening: typeof screening;
      limits: typeof limits;
      audit: typeof audit;
    };
  }
}
