import { recall, remember } from '~/shared/lib/storage';

/** The payment groups of the last sales on this device, newest last. */
const RECENT_GROUPS = 'caudal.recentGroups';
/** Sales that tell what is usual: a morning's. */
const REMEMBERED = 20;

function recent(): string[] {
  try {
    const kept: unknown = JSON.parse(recall(RECENT_GROUPS) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Counts a sale for what is usual. */
export function noteGroup(id: string): void {
  remember(RECENT_GROUPS, JSON.stringify([...recent(), id].slice(-REMEMBERED)));
}

/** The groups with the most used of the last sales first; the others in their own order. */
export function usualFirst<Group extends { paymentGroupId: string | null }>(
  groups: readonly Group[],
): Group[] {
  const sales = recent();
  const uses = ({ paymentGroupId }: Group) => sales.filter((id) => id === paymentGroupId).length;
  return [...groups].sort((one, other) => uses(other) - uses(one));
}
