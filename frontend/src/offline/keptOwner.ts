/**
 * Storage key of the cached answers' owner: tells whether anything is cached without opening the database.
 */
export const KEPT_OWNER = 'caudal.keptOwner';
