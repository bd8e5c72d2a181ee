import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import type { FocusEvent } from 'react';

/** Brand colour. Shade 7 on white and white on shade 7 both pass AA. */
const teal: MantineColorsTuple = [
  '#edf6f6',
  '#d6e9e9',
  '#aed3d3',
  '#82bbbc',
  '#5ca5a7',
  '#3f9093',
  '#217a7e',
  '#0f666b',
  '#0a545a',
  '#06424a',
];

/** Surfaces and text of the dark theme, tinted with teal instead of Mantine's neutral grey. */
const dark: MantineColorsTuple = [
  '#e4eaeb',
  '#c4ced0',
  '#a3b3b6',
  '#75898d',
  '#3c5055',
  '#2d4146',
  '#1b2c31',
  '#132227',
  '#0e1a1e',
  '#091214',
];

/** Red whose filled buttons with white text pass AA in both themes. */
const red: MantineColorsTuple = [
  '#fdeeec',
  '#fbd9d5',
  '#f3b0a9',
  '#ec857a',
  '#e66152',
  '#d94a3d',
  '#c93b31',
  '#b3261e',
  '#9a1f18',
  '#811710',
];

const dialogTitle = { title: { fontWeight: 650, fontSize: '1.125rem' } };
/** A dialog's <header> would count as a second banner landmark. */
const dialogHeader = { attributes: { header: { role: 'presentation' } } };

/** Selects a field's text after the click that focused it has set the caret, so that typing replaces it. */
function selectText({ currentTarget }: FocusEvent<HTMLInputElement>): void {
  setTimeout(() => {
    if (document.activeElement === currentTarget && !currentTarget.readOnly) currentTarget.select();
  });
}

/**
 * The list itself scrolls, by its field's keys. Mantine's scroll area within the list would be a region that no key
 * reaches.
 */
const optionList = {
  defaultProps: { withScrollArea: false },
  styles: {
    options: {
      maxHeight: 220,
      overflowY: 'auto',
      scrollbarWidth: 'thin',
      paddingInlineEnd: 'var(--combobox-padding)',
    },
  },
} as const;

export const theme = createTheme({
  primaryColor: 'caudal',
  primaryShade: { light: 7, dark: 6 },
  colors: { caudal: teal, dark, red },
  black: '#14262b',
  fontFamily: "'Source Sans 3 Variable', 'Segoe UI', system-ui, sans-serif",
  headings: {
    fontFamily: "'Source Sans 3 Variable', 'Segoe UI', system-ui, sans-serif",
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.75rem' }, h2: { fontSize: '1.375rem' }, h3: { fontSize: '1.125rem' } },
  },
  fontSizes: { xs: '0.8125rem', sm: '0.9375rem', md: '1rem', lg: '1.125rem', xl: '1.25rem' },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '8px', lg: '12px', xl: '32px' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  components: {
    Modal: { styles: dialogTitle, defaultProps: dialogHeader },
    Drawer: { styles: dialogTitle, defaultProps: dialogHeader },
    // An open menu begins at its first item: the hidden element that would have the focus is no part of a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // Selecting the selected option keeps it; clearing has its own button.
    Select: {
      ...optionList,
      defaultProps: { ...optionList.defaultProps, allowDeselect: false, onFocus: selectText },
    },
    MultiSelect: optionList,
    Autocomplete: optionList,
  },
});

/** Mantine's tinted notices and badges by the colour pairs below. */
const NOTICES = { yellow: 'waiting', green: 'good', red: 'bad' } as const;

function notices(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(NOTICES).flatMap(([color, tone]) => [
      [`--mantine-color-${color}-light`, `var(--caudal-${tone}-fill)`],
      [`--mantine-color-${color}-light-color`, `var(--caudal-${tone}-text)`],
    ]),
  );
}

/**
 * Overrides of Mantine's placeholder, dimmed and error colours, which miss AA contrast; and pairs of text and fill with
 * at least 4.5 : 1 in both themes.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#54676c',
    '--mantine-color-placeholder': '#63757a',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#d5dcdc',
    '--mantine-color-default-hover': '#f3f6f5',
    ...notices(),
    '--caudal-page': '#f5f5f1',
    '--caudal-head': '#f8f9f7',
    '--caudal-open': '#f4f8f7',
    '--caudal-hairline': '#e9eded',
    '--caudal-accent': '#b4501a',
    '--caudal-neutral-text': '#4a5a5f',
    '--caudal-neutral-fill': '#e9edee',
    '--caudal-waiting-text': '#8a4b00',
    '--caudal-waiting-fill': '#fdf0d9',
    '--caudal-moving-text': '#0b5c85',
    '--caudal-moving-fill': '#e0f0f9',
    '--caudal-good-text': '#17663a',
    '--caudal-good-fill': '#dff3e6',
    '--caudal-bad-text': '#b3261e',
    '--caudal-bad-fill': '#fce8e6',
  },
  dark: {
    '--mantine-color-dimmed': '#a3b3b6',
    '--mantine-color-placeholder': '#91a3a7',
    '--mantine-color-error': '#ff9d94',
    '--mantine-color-default-border': '#2d4146',
    '--mantine-color-default-hover': '#203338',
    '--mantine-color-anchor': '#82bbbc',
    ...notices(),
    '--caudal-page': '#0e1a1e',
    '--caudal-head': '#17272c',
    '--caudal-open': '#172a2f',
    '--caudal-hairline': '#22353a',
    '--caudal-accent': '#f0a35e',
    '--caudal-neutral-text': '#c4ced0',
    '--caudal-neutral-fill': '#2d4146',
    '--caudal-waiting-text': '#ffcf87',
    '--caudal-waiting-fill': '#463313',
    '--caudal-moving-text': '#9fd4f3',
    '--caudal-moving-fill': '#143a4f',
    '--caudal-good-text': '#94dcae',
    '--caudal-good-fill': '#143d26',
    '--caudal-bad-text': '#ffb0a8',
    '--caudal-bad-fill': '#4f1f1b',
  },
});
