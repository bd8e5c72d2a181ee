export {
  downloadFile,
  downloadList,
  fetchFile,
  openFile,
  saveFile,
  shareFile,
  sharesFiles,
} from './download';
export * from './generated';
export { newKey, underKey } from './idempotency';
export { api } from './invalidation';
export * as kinds from './kinds';
export { LIMITS } from './limits';
export { LISTS } from './lists';
export { AGENT_TYPE, DEALER_TYPE, PAYMENT_GROUP_TYPE, USER_TYPE } from './numbers';
export * as may from './policy';
export { usePreviewBulkAssignMutation } from './preview';
export { except, type Role, roleOf, SEE_ALL_AGENCIES, SEE_ALL_DEALERS, SELLERS } from './roles';
export { currentTenant } from './tenant';
export { keepLost, type Try, wasDoneBefore } from './tries';
export { useFile } from './useFile';
export { expectedOf, usePreview } from './usePreview';
export { useProfile, useProfileQuery } from './useProfile';
