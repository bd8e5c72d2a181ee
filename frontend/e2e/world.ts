import { Client } from './client';
import { MANAGER, type Server } from './server';

export const PASSWORD = 'Caudal#2026';
export const CLERK = 'luisa@example.test';
export const COURIER = 'yoel@example.test';
export const DEALER = 'habana@example.test';

interface Made {
  id: string;
}
interface Places {
  results: { id: string; name: string }[];
}

function named(places: Places, name: string): string {
  const found = places.results.find((place) => place.name === name);
  if (!found) throw new Error(`no place ${name}`);
  return found.id;
}

/** Ids of the world's records. */
export interface World {
  manager: Client;
  group: string;
  agency: string;
  dealer: string;
  courier: string;
  province: string;
  municipality: string;
  /** A remittance to a card; set by prepareCards. */
  cardRemittance: string;
}

/** A tenant ready to sell: an agency with balance and a clerk, a dealer with cash and a delivery man. */
export async function prepareWorld(server: Server): Promise<World> {
  const manager = await new Client(server.base, server.tenant).login(MANAGER.email, MANAGER.password);
  const commission = { rate: '0', utilityType: 1, minimalAmount: null, utilityValue: null };
  const group = await manager.call<Made>('POST', '/nomenclators/payment_group', {
    name: 'CUP domicilio',
    currencyFrom: 'USD',
    currencyTo: 'CUP',
    exchangeRate: '320',
    managerCommission: { rate: '2' },
    agencyCommission: commission,
    agentCommission: commission,
    isActive: true,
    type: 0,
  });
  const common = { password: PASSWORD, phone: '+5350000000', isActive: true };
  const agency = await manager.call<Made>('POST', '/agency', {
    ...common,
    name: 'Envíos Miami',
    email: 'miami@example.test',
    country: 'US',
    city: 'Miami',
    paymentGroups: [
      {
        paymentGroupId: group.id,
        exchangeRate: '318.5',
        creditLimit: '0',
        agencyCommission: { rate: '5', utilityType: 0, minimalAmount: '50', utilityValue: '4.00' },
      },
    ],
  });
  await manager.call('POST', '/agent', {
    ...common,
    name: 'Luisa Fernández',
    email: CLERK,
    agentType: 0,
    agencyId: agency.id,
    paymentGroups: [],
  });
  const province = named(await manager.call<Places>('GET', '/nomenclators/cuban_states'), 'La Habana');
  const places = await manager.call<Places>('GET', `/nomenclators/cuban_cities?provinceId=${province}`);
  const municipality = named(places, 'Playa');
  const dealer = await manager.call<Made>('POST', '/dealer', {
    ...common,
    name: 'Distribuidora Habana',
    email: DEALER,
    identificationNumber: '80010112345',
    handleMLC: true,
    provinceId: province,
    zones: [municipality],
  });
  const courier = await manager.call<Made>('POST', '/delivery_men', {
    ...common,
    name: 'Yoel Castro',
    email: COURIER,
    identificationNumber: '90010112345',
    handleMLC: false,
    dealerId: dealer.id,
  });
  await manager.call('POST', '/sources/deposit/manager', { currency: 'CUP', amount: '500000.00' });
  await manager.call('POST', `/sources/deposit/dealer/${dealer.id}`, {
    currency: 'CUP',
    amount: '100000.00',
  });
  await manager.call('POST', `/sources/deposit/agency/${agency.id}`, {
    paymentGroupId: group.id,
    amount: '100000.00',
    onCredit: true,
  });
  return {
    manager,
    group: group.id,
    agency: agency.id,
    dealer: dealer.id,
    courier: courier.id,
    province,
    municipality,
    cardRemittance: '',
  };
}

/** Adds a sender of the world's agency with recipients at home; returns the recipients' ids. */
export async function prepareCustomers(
  world: World,
  names: string[],
): Promise<{ sender: string; recipients: string[] }> {
  const sender = await world.manager.call<Made>('POST', '/customer/', {
    customerType: 0,
    name: 'Ana',
    lastName: 'Pérez',
    phoneNumber: '+13055550100',
    agencyId: world.agency,
    country: 'US',
  });
  const recipients: string[] = [];
  for (const name of names) {
    const made = await world.manager.call<Made>('POST', '/customer/', {
      customerType: 1,
      senderId: sender.id,
      name,
      lastName: 'Luna',
      phoneNumber: '+5352345678',
      personalIdentificationNumber: '75010112345',
      personalIdentificationType: 0,
      addressLine: 'Calle 23 #101',
      provinceId: world.province,
      municipalityId: world.municipality,
    });
    recipients.push(made.id);
  }
  return { sender: sender.id, recipients };
}

/** Sells 10 USD to each recipient; returns ids and codes. */
export async function sellToAll(
  world: World,
  customers: { sender: string; recipients: string[] },
): Promise<{ id: string; code: string }[]> {
  const sold = [];
  for (const recipientId of customers.recipients) {
    sold.push(
      await world.manager.call<Made & { code: string }>('POST', '/remittances/', {
        senderId: customers.sender,
        recipientId,
        paymentGroupId: world.group,
        amount: '10.00',
        deliveryMethod: 'home',
        agencyId: world.agency,
      }),
    );
  }
  return sold;
}

/**
 * Adds another agency that sells to cards, an agent of the first one, a dealer without transfers, and a sale
 * to a card.
 */
export async function prepareCards(world: World): Promise<void> {
  const { manager } = world;
  const commission = { rate: '0', utilityType: 1, minimalAmount: null, utilityValue: null };
  const group = await manager.call<Made>('POST', '/nomenclators/payment_group', {
    name: 'MLC a tarjeta',
    currencyFrom: 'USD',
    currencyTo: 'MLC',
    exchangeRate: '1.05',
    managerCommission: { rate: '2' },
    agencyCommission: commission,
    agentCommission: commission,
    isActive: true,
    type: 0,
  });
  const common = { password: PASSWORD, phone: '+5350000000', isActive: true };
  const agency = await manager.call<Made>('POST', '/agency', {
    ...common,
    name: 'Giros Hialeah',
    email: 'hialeah@example.test',
    country: 'US',
    city: 'Hialeah',
    paymentGroups: [{ paymentGroupId: group.id, exchangeRate: '1.02', creditLimit: '5000' }],
  });
  await manager.call('POST', '/agent', {
    ...common,
    name: 'Vendedora Externa',
    email: 'externa@example.test',
    agentType: 1,
    agencyId: world.agency,
    paymentGroups: [{ paymentGroupId: world.group, exchangeRate: '317', creditLimit: '50000' }],
  });
  await manager.call('POST', '/dealer', {
    ...common,
    name: 'Reparto Playa',
    email: 'playa@example.test',
    identificationNumber: '81010112345',
    handleMLC: false,
    provinceId: world.province,
    zones: [world.municipality],
  });
  const sender = await manager.call<Made>('POST', '/customer/', {
    customerType: 0,
    name: 'Olga',
    lastName: 'Ríos',
    phoneNumber: '+13055550122',
    agencyId: agency.id,
    country: 'US',
  });
  const recipient = await manager.call<Made>('POST', '/customer/', {
    customerType: 1,
    senderId: sender.id,
    name: 'Rosa',
    lastName: 'Ríos',
    phoneNumber: '+5352000000',
  });
  const card = await manager.call<Made>('POST', '/customer/add_card', {
    customerId: recipient.id,
    cardNumber: '9225123456789012',
    brand: 'bpa_mlc',
  });
  const sold = await manager.call<Made>('POST', '/remittances/', {
    senderId: sender.id,
    recipientId: recipient.id,
    paymentGroupId: group.id,
    amount: '100.00',
    deliveryMethod: 'card',
    cardId: card.id,
    agencyId: agency.id,
  });
  world.cardRemittance = sold.id;
}
