import { t } from '@hearth/i18n';
import type { Words } from './html.ts';

/** The platforms that an AI may say it runs on, as people know them. */
export const PLATFORM_COPY = {
  claude: 'Claude',
  chatgpt: 'ChatGPT',
  gemini: 'Gemini',
  copilot: 'Copilot',
  grok: 'Grok',
  mistral: 'Mistral',
  perplexity: 'Perplexity',
  meta: 'Meta AI',
  openclaw: 'OpenClaw',
  custom: t('common.platform.custom'),
  other: t('common.platform.other'),
} as const satisfies Record<string, Words>;

export type Platform = keyof typeof PLATFORM_COPY;
