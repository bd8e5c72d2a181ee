import { useEffect, useState } from 'react';
import { authorizedFetch } from './baseQuery';

/** A kept file as a blob: address for an image element, which could not send the bearer token itself. */
export function useFile(url: string | null): { src: string | null; failed: boolean } {
  const [state, setState] = useState<{ src: string | null; failed: boolean }>({ src: null, failed: false });
  useEffect(() => {
    if (!url) return;
    const gone = new AbortController();
    let made: string | null = null;
    setState({ src: null, failed: false });
    authorizedFetch(url, { signal: gone.signal })
      .then(async (answer) => {
        if (!answer.ok) throw new Error(`file answered ${answer.status}`);
        const blob = await answer.blob();
        if (gone.signal.aborted) return;
        made = URL.createObjectURL(blob);
        setState({ src: made, failed: false });
      })
      .catch(() => {
        if (!gone.signal.aborted) setState({ src: null, failed: true });
      });
    return () => {
      gone.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [url]);
  return state;
}
