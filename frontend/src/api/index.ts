export { downloadFile, downloadList, openFile, saveFile, shareFile, sharesFiles } from './download';
export * from './generated';
export { newKey, underKey } from './idempotency';
export { api } from './invalidation';
export { ALL_ROLES, type Role, roleOf, SELLERS } from './roles';
export { currentTenant } from './tenant';
export { wasDoneBefore } from './tries';
export { useFile } from './useFile';
export { useProfile, useProfileQuery } from './useProfile';
