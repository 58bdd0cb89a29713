/** Deliveries that were given up are counted so far: there may be any number of them. Apart from its schema, for browsers. */
export const MOST_GIVEN_UP = 1000;
