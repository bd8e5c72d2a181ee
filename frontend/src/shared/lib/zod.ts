/**
 * Zod without its compiled parsers: they are made by `new Function`, which the content security policy refuses. Every
 * schema imports `z` from here, so that it is set before the first one is made.
 */
import { config, z } from 'zod';

config({ jitless: true });

export { z };
