/** Storage keys of the last chosen agency and issuer. */
export const LAST_OWNER = 'caudal.lastOwner';
export const LAST_SENDER = 'caudal.lastSender';
