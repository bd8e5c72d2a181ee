/* Generated from openapi.json by scripts/lists.mjs: what each list may be asked. */
export const LISTS = {
  listAccountBalances: {
    sorts: ['code', 'currency', 'owner'],
    filters: ['from', 'to', 'at', 'position', 'kind', 'code', 'ownerId', 'paymentGroupId', 'currency'],
  },
  listAgencies: {
    sorts: ['name', 'created'],
    filters: ['query', 'isActive', 'deleted'],
  },
  listAgencyBalanceAssignments: {
    sorts: ['created', 'number', 'amount'],
    filters: ['query', 'agencyId', 'currency', 'initDate', 'finalDate'],
  },
  listAgentBalanceAssignments: {
    sorts: ['created', 'number', 'amount'],
    filters: ['query', 'agentId', 'currency', 'initDate', 'finalDate'],
  },
  listAgents: {
    sorts: ['name', 'created'],
    filters: ['query', 'agentType', 'agencyId', 'isActive', 'deleted'],
  },
  listAuditEvents: {
    sorts: ['position'],
    filters: ['query', 'eventType', 'recordType', 'recordId', 'actorId', 'requestId', 'from', 'to', 'hash'],
  },
  listCards: {
    sorts: ['created'],
    filters: [],
  },
  listClosures: {
    sorts: ['created', 'number'],
    filters: ['query', 'partyId', 'initDate', 'finalDate', 'at', 'position'],
  },
  listCurrencies: {
    sorts: ['code'],
    filters: ['query'],
  },
  listDailyCredit: {
    sorts: ['name', 'created'],
    filters: ['query', 'dateTime', 'dealerId'],
  },
  listDealerBalanceAssignments: {
    sorts: ['created', 'number', 'amount'],
    filters: ['query', 'dealerId', 'currency', 'initDate', 'finalDate'],
  },
  listDealerClosings: {
    sorts: ['name', 'created'],
    filters: ['query', 'initDate', 'finalDate', 'rangeSelector', 'dealerId'],
  },
  listDealerDesk: {
    sorts: ['place', 'created', 'updated', 'payout', 'status'],
    filters: ['query', 'status', 'currency', 'dealerId', 'deliveryManId', 'provinceId', 'municipalityId', 'deliveryMethod'],
  },
  listDealerDirectory: {
    sorts: ['name'],
    filters: ['query'],
  },
  listDealers: {
    sorts: ['name', 'created'],
    filters: ['query', 'receiverId', 'type', 'dealerId', 'provinceId', 'isActive', 'deleted'],
  },
  listDealerSales: {
    sorts: ['name', 'created'],
    filters: ['query', 'initDate', 'finalDate', 'rangeSelector', 'dealerId'],
  },
  listDebits: {
    sorts: ['created', 'amount', 'outstanding'],
    filters: ['query', 'status', 'partyId'],
  },
  listDeliveryDisputes: {
    sorts: ['sent'],
    filters: ['status', 'remittanceId', 'initDate', 'finalDate'],
  },
  listEntries: {
    sorts: ['created'],
    filters: ['account', 'kind', 'ownerId', 'currency', 'from', 'to', 'at', 'position', 'cause', 'eventType'],
  },
  listMovements: {
    sorts: ['created', 'number', 'amount'],
    filters: ['query', 'partyId', 'kind', 'currency', 'initDate', 'finalDate'],
  },
  listPartyBalances: {
    sorts: ['name', 'created'],
    filters: ['query', 'at', 'position', 'userType', 'partyId', 'agencyId', 'dealerId'],
  },
  listPaymentGroups: {
    sorts: ['name'],
    filters: ['query', 'type'],
  },
  listRateChanges: {
    sorts: ['created'],
    filters: [],
  },
  listRealBalances: {
    sorts: ['currency'],
    filters: ['at', 'position', 'currency'],
  },
  listRecipients: {
    sorts: ['name', 'created'],
    filters: ['name', 'senderId', 'agencyId', 'isActive'],
  },
  listRemittanceHistory: {
    sorts: ['at'],
    filters: [],
  },
  listRemittances: {
    sorts: ['created', 'updated', 'code', 'amount', 'payout', 'status'],
    filters: ['query', 'status', 'initDate', 'finalDate', 'currency', 'agencyId', 'agentId', 'dealerId', 'deliveryManId', 'senderId', 'recipientId', 'provinceId', 'municipalityId', 'paymentGroupId', 'deliveryMethod'],
  },
  listSales: {
    sorts: ['name', 'currency', 'remittances', 'amount', 'payout', 'margin'],
    filters: ['query', 'initDate', 'finalDate', 'rangeSelector', 'agencyId', 'agentId', 'partyId', 'currency'],
  },
  listSellerRemittances: {
    sorts: ['name', 'amount', 'totalRemittance'],
    filters: ['query', 'initDate', 'finalDate', 'rangeSelector'],
  },
  listSenders: {
    sorts: ['name', 'created'],
    filters: ['name', 'senderId', 'agencyId', 'isActive'],
  },
  listUsers: {
    sorts: ['name', 'email', 'lastAccess', 'created'],
    filters: ['query', 'userType', 'isActive', 'deleted'],
  },
  previewAgencyClosures: {
    sorts: ['name', 'created'],
    filters: ['query'],
  },
  previewAgentClosures: {
    sorts: ['name', 'created'],
    filters: ['query'],
  },
} as const;
