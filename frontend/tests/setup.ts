import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// A failure names what was missing; the whole page below it hides that.
// The first screen of a file waits for its modules, on a machine that may be building something else.
configure({ asyncUtilTimeout: 15_000, getElementError: (message) => new Error(message ?? 'not found') });

// React's development build keeps the stack of each element that it makes, ten calls deep: an eighth of the time of these tests.
Object.defineProperty(Error, 'stackTraceLimit', { get: () => 4, set: () => undefined });

// What jsdom lacks and the components ask for.
if (typeof window !== 'undefined') {
  window.matchMedia = vi.fn().mockImplementation((query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addListener: vi.fn(),
    removeListener: vi.fn(),
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
    dispatchEvent: vi.fn(),
  }));
  window.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  window.HTMLElement.prototype.scrollIntoView = vi.fn();
  Object.defineProperty(document, 'fonts', {
    value: { addEventListener: vi.fn(), removeEventListener: vi.fn() },
  });
  // jsdom matches each rule of its browser's sheet for each call, of which a query by role makes hundreds. Without style sheets
  // (`css: false`) an element's own style says the same, where it is not hidden by its attribute.
  const computed = window.getComputedStyle.bind(window);
  window.getComputedStyle = (element, pseudo) =>
    pseudo || !(element instanceof HTMLElement) || element.hidden ? computed(element, pseudo) : element.style;
}

afterEach(() => {
  cleanup();
  if (typeof window !== 'undefined') localStorage.clear();
});
