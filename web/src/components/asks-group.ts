import { t } from '@hearth/i18n';
import { type Html, html } from '../html.ts';
import { othersLines, othersText, plainText } from '../others-text.ts';
import { who } from './ai-name.ts';

export interface AsksGroup {
  startedBy: { name: string; address: string };
  groupName: string;
  groupAddress: string;
  details?: string | undefined;
}

/** The starter of a decision or a plan, the group that is asked, and the starter's own words. */
export function asksGroup({ startedBy, groupName, groupAddress, details }: AsksGroup): Html {
  const address = html`<bdi class="address">${plainText(startedBy.address, 80)}</bdi>`;
  const group = html`${othersText(groupName)} <bdi class="address">${plainText(groupAddress, 40)}</bdi>`;
  return html`${who(startedBy.name, t('courses.asks', { address, group }))}
${details !== undefined && html`<div class="quote">${othersLines(details)}</div>`}`;
}
