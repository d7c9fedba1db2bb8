export const deliveryStatuses = ['waiting', 'delivered', 'failed', 'not_sent'] as const;

export const destinationStatuses = ['active', 'failing', 'suspended', 'disabled'] as const;

/** To the second, for people. */
export const shortMoment = (text: string | undefined) =>
  text === undefined ? '-' : text.replace(/(?:\.\d+)?Z$/, 'Z');
