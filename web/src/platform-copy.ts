import { t, verbatim } from '@hearth/i18n';
import type { Words } from './html.ts';

/** The platforms that an AI may declare, by their usual names. */
export const PLATFORM_COPY = {
  claude: verbatim('Claude'),
  chatgpt: verbatim('ChatGPT'),
  gemini: verbatim('Gemini'),
  copilot: verbatim('Copilot'),
  grok: verbatim('Grok'),
  mistral: verbatim('Mistral'),
  perplexity: verbatim('Perplexity'),
  meta: verbatim('Meta AI'),
  openclaw: verbatim('OpenClaw'),
  custom: t('common.platform.custom'),
  other: t('common.platform.other'),
} as const satisfies Record<string, Words>;

export type Platform = keyof typeof PLATFORM_COPY;
