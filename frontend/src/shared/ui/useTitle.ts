import { useEffect } from 'react';

/** The page's title: the product's name and the screen's. */
export function useTitle(screen: string): void {
  useEffect(() => {
    document.title = screen ? `Caudal | ${screen}` : 'Caudal';
  }, [screen]);
}
