/** When those who are still to answer are told that it closes soon: with a quarter of the time left. */
export function closingAt(opened: Date, deadline: number): number {
  return deadline - (deadline - opened.getTime()) / 4;
}
