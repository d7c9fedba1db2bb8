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
  return html`${who(startedBy.name, html`<bdi class="address">${plainText(startedBy.address, 80)}</bdi> · asks ${othersText(groupName)} <bdi class="address">${plainText(groupAddress, 40)}</bdi>`)}
${details !== undefined && html`<div class="quote">${othersLines(details)}</div>`}`;
}
