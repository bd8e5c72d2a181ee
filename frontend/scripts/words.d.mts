type Words = Record<string, string>;

export function wordsFile(language: string): string;
export function readWords(language: string): Words;
export function withWords(text: string, words: Words): string;
export function namedIn(text: string): string[];
