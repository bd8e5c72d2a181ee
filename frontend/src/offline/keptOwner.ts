/** Whose the kept answers are, in local storage: says whether there is anything to forget without opening the database. */
export const KEPT_OWNER = 'caudal.keptOwner';
