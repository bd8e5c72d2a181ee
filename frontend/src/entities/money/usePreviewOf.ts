import { useEffect, useState } from 'react';
import { type Preview, usePreview } from '~/api';

interface Write {
  url: string;
  method?: 'POST' | 'PUT';
  body: unknown;
}

/**
 * What a write would do, asked while its form is open; null until it is known, and where the write would be refused, which the
 * write itself tells. A null write asks nothing.
 */
export function usePreviewOf(write: Write | null): Preview | null {
  const { ask } = usePreview();
  const [told, setTold] = useState<{ of: string; preview: Preview } | null>(null);
  const asked = write && JSON.stringify(write);
  useEffect(() => {
    if (!asked) return;
    let current = true;
    const { url, method = 'POST', body } = JSON.parse(asked) as Write;
    ask({ url, method, body }).then(
      (preview) => current && setTold({ of: asked, preview }),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [ask, asked]);
  return told?.of === asked ? (told?.preview ?? null) : null;
}
