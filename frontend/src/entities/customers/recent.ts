/** Where the last chosen agency and issuer are remembered (domain design, section 9). */
export const LAST_OWNER = 'caudal.lastOwner';
export const LAST_SENDER = 'caudal.lastSender';
