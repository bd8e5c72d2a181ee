import type {
  Agency,
  Customer,
  Dealer,
  Profile,
  ProfilePaymentGroup,
  Remittance,
  RemittanceAct,
  RemittanceAction,
  RemittanceHistoryItem,
  RemittanceStatus,
  RowAct,
  RowAction,
} from '~/api';

/** Ids that read well in a failing test. */
export const uuid = (kind: number, n: number) =>
  `0190${kind.toString(16).padStart(4, '0')}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** The acts that a row offers. */
const offered = (...acts: RowAct[]): RowAction[] => acts.map((action) => ({ action, refusal: null }));

const CREATED = '2026-11-20T15:04:00Z';

export const provinces = [
  { id: uuid(1, 1), code: '23', name: 'La Habana', enabled: true },
  { id: uuid(1, 2), code: '25', name: 'Matanzas', enabled: true },
];
const place = (n: number, name: string, at: number) => ({
  id: uuid(2, n),
  code: String(n),
  name,
  provinceId: provinces[at]?.id ?? '',
  provinceName: provinces[at]?.name ?? '',
  distributionFee: null,
  distributionFeeCurrency: null,
  enabled: true,
});
export const municipalities = [
  place(1, 'Playa', 0),
  place(2, 'Plaza de la Revolución', 0),
  place(3, 'Cárdenas', 1),
];

export const group = (n: number, changes: Partial<ProfilePaymentGroup> = {}): ProfilePaymentGroup => ({
  id: uuid(3, 100 + n),
  paymentGroupId: uuid(3, n),
  groupName: 'CUP domicilio',
  currencyFrom: 'USD',
  currencyTo: 'CUP',
  amount: '132200.00',
  expenses: '31368.18',
  exchangeRate: '318.5',
  creditLimit: '0.00',
  managerCommission: { rate: '2' },
  agencyCommission: { rate: '5', utilityType: 0, minimalAmount: '50.00', utilityValue: '4.00' },
  agentCommission: null,
  isActive: true,
  type: 1,
  ...changes,
});
export const groups = [
  group(1),
  group(2, {
    groupName: 'USD domicilio',
    currencyTo: 'USD',
    amount: '-499.99',
    exchangeRate: '1',
    creditLimit: '500.00',
  }),
  group(3, { groupName: 'MLC tarjeta', currencyTo: 'MLC', amount: '1850.40', exchangeRate: '0.96' }),
];

const person = { profilePicture: null, office: null, timeZone: 'America/Havana' };
export const agencyId = uuid(4, 1);
export const dealerId = uuid(6, 1);
export const profiles = {
  manager: {
    id: uuid(4, 9),
    name: 'Marta Ríos',
    email: 'marta@caudal.test',
    userType: 5,
    agentType: null,
    agencyId: null,
    agencyName: null,
    sellerPhone: null,
    paymentGroups: [],
    ...person,
  },
  agency: {
    id: agencyId,
    name: 'Envíos Miami',
    email: 'miami@caudal.test',
    userType: 4,
    agentType: null,
    agencyId,
    agencyName: 'Envíos Miami',
    sellerPhone: '+13055550100',
    paymentGroups: groups,
    ...person,
  },
  clerk: {
    id: uuid(5, 2),
    name: 'Luisa Fernández',
    email: 'luisa@caudal.test',
    userType: 3,
    agentType: 0,
    agencyId,
    agencyName: 'Envíos Miami',
    sellerPhone: '+13055550100',
    paymentGroups: groups,
    ...person,
  },
  dealer: {
    id: dealerId,
    name: 'Distribuidora Habana',
    email: 'habana@caudal.test',
    userType: 2,
    agentType: null,
    agencyId: null,
    agencyName: null,
    sellerPhone: null,
    paymentGroups: [
      group(8, {
        id: null,
        paymentGroupId: null,
        groupName: 'CUP',
        amount: '183250.00',
        expenses: '1250.75',
        exchangeRate: null,
        agencyCommission: null,
        managerCommission: null,
      }),
    ],
    ...person,
  },
  courier: {
    id: uuid(6, 2),
    name: 'Yoel Castro',
    email: 'yoel@caudal.test',
    userType: 6,
    agentType: null,
    agencyId: null,
    agencyName: null,
    sellerPhone: null,
    paymentGroups: [
      group(8, {
        id: null,
        paymentGroupId: null,
        groupName: 'CUP',
        amount: '40000.00',
        expenses: '0.00',
        exchangeRate: null,
        agencyCommission: null,
        managerCommission: null,
      }),
    ],
    ...person,
  },
} satisfies Record<string, Profile>;

const partyBase = {
  email: 'x@caudal.test',
  phone: null,
  addressLine1: null,
  addressLine2: null,
  addressLine3: null,
  country: 'US',
  province: null,
  city: 'Miami',
  zip: null,
  profilePicture: null,
  isActive: true,
  created: CREATED,
  updated: CREATED,
  toCorrect: [],
  actions: offered('edit', 'delete', 'setTerms', 'deposit', 'pay', 'addRecipient'),
};
export const agencies: Agency[] = [
  { id: agencyId, name: 'Envíos Miami', ...partyBase, paymentGroups: groups },
  { id: uuid(4, 2), name: 'Casa Tampa', ...partyBase, paymentGroups: [group(1, { amount: '40500.00' })] },
];

const dealer = (
  n: number,
  type: 0 | 1,
  name: string,
  zone: number,
  changes: Partial<Dealer> = {},
): Dealer => ({
  id: uuid(6, n),
  type,
  name,
  email: `d${n}@caudal.test`,
  identificationNumber: '80010112345',
  phoneNumber: '+5350000000',
  phone2: null,
  license: null,
  country: null,
  zipcode: null,
  addressLine1: null,
  addressLine2: null,
  addressLine3: null,
  provinceId: provinces[0]?.id ?? null,
  province: 'La Habana',
  municipality: null,
  zones: municipalities.slice(zone, zone + 1).map(({ id, name: zoneName }) => ({ id, name: zoneName })),
  distributionArea: ',La Habana,Playa,',
  handleMLC: n === 1,
  dealerId: type === 1 ? dealerId : null,
  dealerName: type === 1 ? 'Distribuidora Habana' : null,
  isActive: true,
  created: CREATED,
  updated: CREATED,
  toCorrect: [],
  actions: offered('edit', 'delete', 'setTerms', 'deposit', 'pay', 'addRecipient'),
  ...changes,
});
export const dealers = [
  dealer(1, 0, 'Distribuidora Habana', 0),
  dealer(3, 0, 'Reparto Matanzas', 2),
  dealer(2, 1, 'Yoel Castro', 0),
];

export const customer = (n: number, changes: Partial<Customer>): Customer => ({
  id: uuid(7, n),
  customerType: 0,
  name: 'Ana',
  lastName: 'Pérez',
  secondSurname: 'Gómez',
  fullName: 'Ana Pérez Gómez',
  phoneNumber: '+13055550100',
  personalIdentificationNumber: null,
  personalIdentificationType: null,
  personalIdentificationExpirationDate: null,
  personalIdentificationIssueDate: null,
  personalIdentificationCountry: null,
  addressLine: null,
  repart: null,
  country: null,
  province: null,
  municipality: null,
  provinceId: null,
  municipalityId: null,
  alternativeName: null,
  alternativeLastName: null,
  alternativePersonalIdentificationNumber: null,
  alternativePhoneNumber: null,
  email: null,
  zipCode: null,
  alias: null,
  senderId: null,
  agencyId,
  isActive: true,
  totalReceivers: 1,
  card: [],
  address: { zipcode: null, email: null, line1: null, stateOrProvince: null, cityOrMunicipality: null },
  identityDocument: { documentNumber: null, documentTypeOption: null },
  created: CREATED,
  updated: CREATED,
  toCorrect: [],
  actions: offered('edit', 'delete', 'setTerms', 'deposit', 'pay', 'addRecipient'),
  ...changes,
});
export const customers = [
  customer(1, {}),
  customer(2, { name: 'Carlos', fullName: 'Carlos Pérez Gómez', phoneNumber: '+13055550122' }),
  customer(3, {
    customerType: 1,
    name: 'Berta',
    fullName: 'Berta Díaz Luna',
    phoneNumber: '+5352345678',
    senderId: uuid(7, 1),
    personalIdentificationNumber: '75010112345',
    addressLine: 'Calle 23 #101, e/ L y M',
    provinceId: provinces[0]?.id,
    province: 'La Habana',
    municipalityId: municipalities[0]?.id,
    municipality: 'Playa',
  }),
];

const SENDERS = ['Ana Pérez Gómez', 'Carlos Soto', 'María de los Ángeles Rodríguez', 'José Núñez'];
const RECIPIENTS = ['Berta Díaz Luna', 'Delia Ramos', 'Ernesto Quintana Valdés', 'Rosa Peña'];
const AMOUNTS = [
  ['100.00', '31850.00'],
  ['49.99', '15921.82'],
  ['250.00', '79625.00'],
  ['1249.99', '398121.82'],
  ['33.33', '10615.61'],
];

const OVER = { 1: 'remittance_is_canceled', 3: 'remittance_is_completed' } as const;

/** What the server tells a manager of a remittance in a state. */
function managersActions(status: RemittanceStatus): RemittanceAction[] {
  const at = (action: RemittanceAct, code: string, ...states: RemittanceStatus[]) => {
    const over = status === 1 || status === 3 ? OVER[status] : code;
    return { action, refusal: states.includes(status) ? null : over };
  };
  return [
    at('complete', status === 0 ? 'remittance_is_pending' : 'remittance_is_in_error', 2),
    at('assign', '', 0, 2, 4),
    at('editDetails', '', 0, 2, 4),
    at('editAmount', 'remittance_is_in_shipping', 0, 4),
    at('error', 'remittance_is_in_error', 0, 2),
    at('cancel', '', 0, 2, 4),
  ];
}

export function remittance(n: number, changes: Partial<Remittance> = {}): Remittance {
  const status = ([0, 2, 3, 2, 0, 4, 3, 1] as const)[n % 8] ?? 0;
  const card = n % 6 === 4;
  const [amount = '100.00', payout = '31850.00'] = AMOUNTS[n % AMOUNTS.length] ?? [];
  const shipped = status === 2 || status === 3;
  return {
    actions: managersActions(changes.status ?? status),
    id: uuid(8, n),
    code: `R-${String(n).padStart(6, '0')}`,
    status,
    held: false,
    breach: null,
    deliveryMethod: card ? 'card' : 'home',
    sender: {
      id: uuid(7, 1),
      name: SENDERS[n % 4] ?? null,
      phoneNumber: '+1 305 555 0100',
      identificationNumber: null,
    },
    recipient: {
      id: uuid(7, 3),
      name: RECIPIENTS[n % 4] ?? null,
      phoneNumber: '+53 5234 5678',
      identificationNumber: '75010112345',
    },
    address: card
      ? null
      : {
          addressLine: 'Calle 23 #101, e/ L y M',
          provinceId: provinces[0]?.id ?? null,
          province: 'La Habana',
          municipalityId: municipalities[n % 2]?.id ?? null,
          municipality: municipalities[n % 2]?.name ?? null,
        },
    card: card
      ? {
          id: uuid(9, n),
          customerId: uuid(7, 3),
          cardNumber: '9225 06•• •••• 7890',
          brand: 'bandec_mlc',
          currency: 'MLC',
          isDefault: false,
        }
      : null,
    paymentGroupId: uuid(3, 1),
    groupName: 'CUP domicilio',
    currencyFrom: 'USD',
    currencyTo: card ? 'MLC' : 'CUP',
    amount,
    payout: card ? '96.00' : payout,
    exchangeRate: card ? '0.96' : '318.5',
    managerFee: '2.00',
    agencyFee: '5.00',
    agentFee: '0.00',
    totalFee: '7.00',
    totalToPay: '107.00',
    distributionFee: status === 3 ? '150.00' : null,
    agency: { id: agencyId, name: 'Envíos Miami' },
    agent: n % 3 === 0 ? { id: uuid(5, 2), name: 'Luisa Fernández' } : null,
    dealer: shipped ? { id: dealerId, name: 'Distribuidora Habana' } : null,
    deliveryMan: shipped && n % 2 === 1 ? { id: uuid(6, 2), name: 'Yoel Castro' } : null,
    reference: null,
    notes: n % 4 === 1 ? 'Llamar antes de ir' : null,
    reason: status === 4 ? 'Dirección incorrecta' : status === 1 ? 'A petición del emisor' : null,
    proof: {
      identificationDocument: status === 3 ? '/api/files/1' : null,
      firmPicture: status === 3 && !card ? '/api/files/2' : null,
    },
    created: new Date(Date.parse(CREATED) - n * 5_400_000).toISOString(),
    updated: CREATED,
    toRepresentative: false,
    assigned: shipped ? CREATED : null,
    completed: status === 3 ? CREATED : null,
    delivered: status === 3 ? CREATED : null,
    representative: null,
    ...changes,
  };
}

export function history(row: Remittance): RemittanceHistoryItem[] {
  const base = {
    fromStatus: null,
    reason: null,
    occurred: null,
    attemptReason: null,
    refused: null,
    holdReason: null,
    approvedBy: null,
    dealer: null,
    deliveryMan: null,
    amount: null,
    payout: null,
    currencyTo: null,
    changes: [],
    files: [],
  };
  const clerk = { id: uuid(5, 2), name: 'Luisa Fernández', userType: 3 as const };
  const manager = { id: uuid(4, 9), name: 'Marta Ríos', userType: 5 as const };
  const items: RemittanceHistoryItem[] = [
    { ...base, position: 10, at: row.created, change: 'created', status: 0, actor: clerk },
  ];
  if (row.dealer)
    items.push({
      ...base,
      position: 14,
      at: CREATED,
      change: 'assigned',
      fromStatus: 0,
      status: 2,
      actor: manager,
      dealer: row.dealer,
      deliveryMan: row.deliveryMan,
    });
  if (row.status === 3)
    items.push({
      ...base,
      position: 18,
      at: CREATED,
      change: 'completed',
      fromStatus: 2,
      status: 3,
      actor: { id: uuid(6, 2), name: 'Yoel Castro', userType: 6 },
    });
  if (row.status === 4)
    items.push({
      ...base,
      position: 18,
      at: CREATED,
      change: 'error',
      fromStatus: 2,
      status: 4,
      actor: manager,
      reason: row.reason,
    });
  if (row.status === 1)
    items.push({
      ...base,
      position: 18,
      at: CREATED,
      change: 'canceled',
      fromStatus: 0,
      status: 1,
      actor: clerk,
      reason: row.reason,
    });
  return items;
}
