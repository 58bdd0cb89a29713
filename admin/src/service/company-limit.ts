import { ApiError } from "@partnerwire/contract";

/**
 * Runs at most `most` jobs of one company at the same time, and refuses any other. A job is not queued, because the running
 * ones may take as long as a hanging receiver.
 */
export function createCompanyLimit(most: number, noun: string) {
	const running = new Map<string, number>();
	return async <Result>(
		companyUuid: string,
		job: () => Promise<Result>,
	): Promise<Result> => {
		const count = running.get(companyUuid) ?? 0;
		if (count >= most)
			throw new ApiError(
				"rate_limit_exceeded",
				`${most} ${noun} are under way, the most at the same time: try again when one has ended`,
				{ retryAfterS: 1 },
			);
		running.set(companyUuid, count + 1);
		try {
			return await job();
		} finally {
			const left = (running.get(companyUuid) ?? 1) - 1;
			if (left === 0) running.delete(companyUuid);
			else running.set(companyUuid, left);
		}
	};
}
