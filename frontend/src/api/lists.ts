/* Generated from openapi.json by scripts/lists.mjs: what each list may be asked. */
export const LISTS = {
  listAccountBalances: {
    sorts: ['code', 'kind', 'owner', 'currency'],
    filters: ['from', 'to', 'at', 'position', 'kind', 'code', 'ownerId', 'paymentGroupId', 'currency'],
  },
  listAgencies: {
    sorts: ['name', 'email', 'phone', 'addressLine1', 'city', 'province', 'country', 'isActive', 'created'],
    filters: ['query', 'isActive', 'deleted'],
  },
  listAgencyBalanceAssignments: {
    sorts: ['number', 'created', 'kind', 'from', 'to', 'amount', 'currency', 'counterAmount', 'counterCurrency', 'onCredit', 'reversed', 'reverseReason', 'actor', 'note'],
    filters: ['query', 'partyId', 'agencyId', 'agentId', 'dealerId', 'kind', 'reversed', 'currency', 'initDate', 'finalDate'],
  },
  listAgentBalanceAssignments: {
    sorts: ['number', 'created', 'kind', 'from', 'to', 'amount', 'currency', 'counterAmount', 'counterCurrency', 'onCredit', 'reversed', 'reverseReason', 'actor', 'note'],
    filters: ['query', 'partyId', 'agencyId', 'agentId', 'dealerId', 'kind', 'reversed', 'currency', 'initDate', 'finalDate'],
  },
  listAgents: {
    sorts: ['name', 'agentType', 'agencyName', 'email', 'phone', 'addressLine1', 'city', 'province', 'country', 'isActive', 'created'],
    filters: ['query', 'agentType', 'agencyId', 'isActive', 'deleted'],
  },
  listApiKeys: {
    sorts: ['name', 'party', 'start', 'requestsPerMinute', 'expiresAt', 'lastUsed', 'created', 'rotatedAt', 'revokedAt'],
    filters: ['partyId', 'live'],
  },
  listAuditEvents: {
    sorts: ['position', 'at', 'eventType', 'recordType', 'recordId', 'actor', 'hash'],
    filters: ['query', 'eventType', 'recordType', 'recordId', 'actorId', 'requestId', 'from', 'to', 'hash'],
  },
  listCards: {
    sorts: ['cardNumber', 'brand', 'currency', 'created'],
    filters: [],
  },
  listClosures: {
    sorts: ['number', 'created', 'party', 'from', 'to', 'remittances', 'amount', 'managerCommission', 'agencyCommission', 'agentCommission', 'commissionAccrued', 'debitsOpened', 'debitsPaid', 'debitsOutstanding'],
    filters: ['query', 'partyId', 'initDate', 'finalDate', 'at', 'position'],
  },
  listCurrencies: {
    sorts: ['code', 'symbol', 'exchangeRate', 'distributionRate', 'accounted', 'enabled'],
    filters: ['query'],
  },
  listDailyCredit: {
    sorts: ['name', 'created'],
    filters: ['query', 'dateTime', 'dealerId'],
  },
  listDealerBalanceAssignments: {
    sorts: ['number', 'created', 'kind', 'from', 'to', 'amount', 'currency', 'counterAmount', 'counterCurrency', 'onCredit', 'reversed', 'reverseReason', 'actor', 'note'],
    filters: ['query', 'partyId', 'agencyId', 'agentId', 'dealerId', 'kind', 'reversed', 'currency', 'initDate', 'finalDate'],
  },
  listDealerClosings: {
    sorts: ['name', 'created'],
    filters: ['query', 'initDate', 'finalDate', 'rangeSelector', 'dealerId'],
  },
  listDealerDesk: {
    sorts: ['code', 'created', 'updated', 'status', 'recipient', 'phoneNumber', 'identificationNumber', 'addressLine', 'place', 'card', 'payout', 'currencyTo', 'agency', 'dealer', 'deliveryMan', 'notes'],
    filters: ['query', 'status', 'initDate', 'finalDate', 'currency', 'agencyId', 'agentId', 'dealerId', 'deliveryManId', 'held', 'senderId', 'recipientId', 'provinceId', 'municipalityId', 'paymentGroupId', 'deliveryMethod'],
  },
  listDealerDirectory: {
    sorts: ['name'],
    filters: ['query'],
  },
  listDealers: {
    sorts: ['name', 'type', 'dealerName', 'identificationNumber', 'email', 'phoneNumber', 'addressLine1', 'municipality', 'province', 'zones', 'license', 'handleMLC', 'isActive', 'created'],
    filters: ['query', 'receiverId', 'type', 'dealerId', 'provinceId', 'municipalityId', 'isActive', 'deleted'],
  },
  listDealerSales: {
    sorts: ['name', 'created'],
    filters: ['query', 'initDate', 'finalDate', 'rangeSelector', 'dealerId'],
  },
  listDebits: {
    sorts: ['created', 'debtor', 'creditor', 'origin', 'status', 'amount', 'paid', 'outstanding', 'settled'],
    filters: ['query', 'status', 'partyId'],
  },
  listDeliveryDisputes: {
    sorts: ['code', 'status', 'refused', 'remittanceStatus', 'recipient', 'payout', 'currencyTo', 'reportedBy', 'dealer', 'delivered', 'sent', 'settled', 'settledBy', 'settlement'],
    filters: ['status', 'remittanceId', 'initDate', 'finalDate'],
  },
  listEntries: {
    sorts: ['position', 'created', 'cause', 'eventType', 'reversal', 'actor'],
    filters: ['account', 'kind', 'ownerId', 'currency', 'from', 'to', 'initDate', 'finalDate', 'at', 'position', 'cause', 'eventType'],
  },
  listExpiringDocuments: {
    sorts: ['name', 'personalIdentificationNumber', 'personalIdentificationCountry', 'expires', 'phoneNumber'],
    filters: ['expiresTo', 'agencyId'],
  },
  listLateChanges: {
    sorts: ['at', 'kind', 'record', 'concerned', 'daysLate', 'actor', 'amount', 'amountAfter', 'currency', 'position'],
    filters: ['kind', 'from', 'to', 'daysLate', 'actorId', 'recordId', 'afterClosure'],
  },
  listMovements: {
    sorts: ['number', 'created', 'kind', 'from', 'to', 'amount', 'currency', 'counterAmount', 'counterCurrency', 'onCredit', 'reversed', 'reverseReason', 'actor', 'note'],
    filters: ['query', 'partyId', 'agencyId', 'agentId', 'dealerId', 'kind', 'reversed', 'currency', 'initDate', 'finalDate'],
  },
  listPartyBalances: {
    sorts: ['name', 'userType', 'agency', 'dealer', 'created'],
    filters: ['query', 'at', 'position', 'userType', 'partyId', 'agencyId', 'dealerId'],
  },
  listPaymentGroups: {
    sorts: ['name', 'currencyTo', 'exchangeRate', 'managerCommission', 'agencyCommission', 'agentCommission', 'isActive'],
    filters: ['query', 'type'],
  },
  listProposals: {
    sorts: ['created', 'kind', 'maker', 'amount', 'status', 'expires', 'decidedBy', 'number'],
    filters: ['waiting', 'mayDecide', 'kind', 'makerId', 'dateFrom', 'dateTo'],
  },
  listRateChanges: {
    sorts: ['created', 'createdBy', 'status', 'at', 'effectiveAt'],
    filters: [],
  },
  listReadings: {
    sorts: ['at', 'reader', 'seenAs', 'kind', 'call', 'format'],
    filters: ['partyId', 'recordId', 'kind', 'from', 'to'],
  },
  listRealBalances: {
    sorts: ['currency', 'accounted', 'exchangeRate'],
    filters: ['at', 'position', 'currency'],
  },
  listRecipients: {
    sorts: ['name', 'personalIdentificationNumber', 'personalIdentificationCountry', 'phoneNumber', 'addressLine', 'repart', 'municipality', 'province', 'alternativeName', 'alternativePersonalIdentificationNumber', 'alternativePhoneNumber', 'isActive', 'created'],
    filters: ['name', 'senderId', 'agencyId', 'isActive'],
  },
  listRemittanceHistory: {
    sorts: ['at', 'occurred', 'change', 'fromStatus', 'status', 'actor', 'approvedBy', 'dealer', 'deliveryMan', 'amount', 'payout', 'currencyTo', 'reason'],
    filters: [],
  },
  listRemittances: {
    sorts: ['code', 'created', 'updated', 'status', 'held', 'sender', 'recipient', 'phoneNumber', 'deliveryMethod', 'place', 'groupName', 'amount', 'totalFee', 'totalToPay', 'payout', 'currencyTo', 'agency', 'agent', 'dealer', 'deliveryMan', 'reference', 'reason'],
    filters: ['query', 'status', 'initDate', 'finalDate', 'currency', 'agencyId', 'agentId', 'dealerId', 'deliveryManId', 'held', 'senderId', 'recipientId', 'provinceId', 'municipalityId', 'paymentGroupId', 'deliveryMethod'],
  },
  listSales: {
    sorts: ['name', 'agency', 'remittances', 'amount', 'payout', 'currency', 'managerFee', 'agencyFee', 'agentFee', 'totalFee', 'margin'],
    filters: ['query', 'initDate', 'finalDate', 'rangeSelector', 'agencyId', 'agentId', 'partyId', 'currency'],
  },
  listScreeningCases: {
    sorts: ['customer', 'score', 'lists', 'status', 'found', 'decidedBy'],
    filters: ['status', 'list', 'held', 'customerId', 'dateFrom', 'dateTo'],
  },
  listSellerRemittances: {
    sorts: ['name', 'totalRemittance', 'amount'],
    filters: ['query', 'initDate', 'finalDate', 'rangeSelector'],
  },
  listSenders: {
    sorts: ['name', 'phoneNumber', 'personalIdentificationNumber', 'personalIdentificationCountry', 'email', 'addressLine', 'municipality', 'province', 'country', 'zipCode', 'isActive', 'totalReceivers', 'created'],
    filters: ['name', 'senderId', 'agencyId', 'isActive'],
  },
  listUsers: {
    sorts: ['name', 'userType', 'ownerName', 'email', 'phone', 'isActive', 'lastAccess', 'created'],
    filters: ['query', 'userType', 'isActive', 'deleted'],
  },
  listWebhooks: {
    sorts: ['name', 'party', 'url', 'status', 'created'],
    filters: ['partyId', 'active'],
  },
  previewAgencyClosures: {
    sorts: ['name', 'created'],
    filters: ['query', 'partyId', 'agencyId'],
  },
  previewAgentClosures: {
    sorts: ['name', 'created'],
    filters: ['query', 'partyId', 'agencyId'],
  },
} as const;
