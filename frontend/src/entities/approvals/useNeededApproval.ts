import { useEffect, useState } from 'react';
import { type NeededApproval, usePreview } from '~/api';

interface Write {
  url: string;
  body: unknown;
}

/**
 * The approval that a POST would need, by its preview; null where it needs none, and where the write would be refused, which
 * the write itself tells. A null write asks nothing.
 */
export function useNeededApproval(write: Write | null): NeededApproval | null {
  const { ask } = usePreview();
  const [needed, setNeeded] = useState<{ of: string; approval: NeededApproval | null } | null>(null);
  const asked = write && JSON.stringify(write);
  useEffect(() => {
    if (!asked) return;
    let current = true;
    const { url, body } = JSON.parse(asked) as Write;
    ask({ url, method: 'POST', body }).then(
      ({ approval }) => current && setNeeded({ of: asked, approval: approval ?? null }),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [ask, asked]);
  return needed?.of === asked ? (needed?.approval ?? null) : null;
}
