import { useTexts } from '~/shared/lib/texts';

/** A scope, a group of calls and an access, in words. A group that no text names is named as it is. */
export function useScopeName(): (scope: string) => string {
  const t = useTexts();
  return (scope) => {
    const [group = '', access = ''] = scope.split(':');
    const named = t([`keys:groups.${group}`, 'keys:groups.other'] as never, { group });
    return `${named}: ${t(`keys:access.${access === 'read' ? 'read' : 'write'}`)}`;
  };
}
