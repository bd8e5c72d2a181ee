import type { OfficeArea, OfficeProfile } from './generated';

export type OfficeRight = 'read' | 'write';

/** Permissions of who is logged in; null for a full manager and for other roles. */
let present: OfficeProfile | null = null;

/** Follows the profile: what the interface offers a manager depends on it. */
export function setOffice(office: OfficeProfile | null): void {
  present = office;
}

/** Whether who is logged in holds the right in one of the areas. No areas: everybody does. */
export function permits(areas: readonly OfficeArea[], right: OfficeRight): boolean {
  if (!present || areas.length === 0) return true;
  const held = right === 'read' ? present.reads : present.writes;
  return areas.some((area) => held.includes(area));
}

/**
 * The roles that may make a call. Its `includes` answers for who is logged in: a manager with a permission set is included
 * only where the set allows the call.
 */
export class Callers<Role extends string> extends Array<Role> {
  /** What methods as `filter` return has no permissions of its own. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  private areas: readonly OfficeArea[] = [];
  private right: OfficeRight = 'read';

  static who<Role extends string>(
    roles: readonly Role[],
    areas: readonly OfficeArea[] = [],
    right: OfficeRight = 'read',
  ): readonly Role[] & Callers<Role> {
    const callers = new Callers<Role>();
    callers.push(...roles);
    callers.areas = areas;
    callers.right = right;
    return callers;
  }

  override includes(role: Role): boolean {
    return super.includes(role) && (role !== 'manager' || permits(this.areas, this.right));
  }

  /** The same permissions for fewer roles. */
  fewer(others: readonly Role[]): readonly Role[] {
    return Callers.who(
      this.filter((role) => !others.includes(role)),
      this.areas,
      this.right,
    );
  }
}
