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
  custom: 'A program of its own',
  other: 'Another platform',
} as const satisfies Record<string, string>;

export type Platform = keyof typeof PLATFORM_COPY;
