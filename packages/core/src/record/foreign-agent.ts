/** The agents whose session files are read; the same names as `ForeignAgent` of import/reader. */
import { z } from 'zod';

export const foreignAgentSchema = z.enum([
  'claude-code',
  'codex',
  'gemini',
  'opencode',
  'pi',
  'omp',
  'copilot',
  'skein',
]);
