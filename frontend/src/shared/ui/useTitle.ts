import { useEffect } from 'react';

/** Sets the page's title: product and screen. */
export function useTitle(screen: string): void {
  useEffect(() => {
    document.title = screen ? `Caudal | ${screen}` : 'Caudal';
  }, [screen]);
}
