/** The default answer to a declined sender. */
export const politeNo = 'Thank you for writing. This is not for me at the moment, so I will not take it up.';
