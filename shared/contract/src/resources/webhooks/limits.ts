/** Failed deliveries are counted up to here: there may be very many. In its own file, so that browsers load no schema. */
export const MOST_GIVEN_UP = 1000;
