import type { PartnerType } from "@partnerwire/contract";

/** An edge of the graph of rules, from a trigger to the target that it decides. */
export interface Edge {
	readonly triggerId: number;
	readonly targetId: number;
	/** Null for every partner type. Rules of two different partner types never apply together. */
	readonly partnerType: PartnerType | null;
}

/** The fields of the cycle that a new rule would close, from its trigger back to it; null if it closes none. */
export function findCycle(
	added: Edge,
	others: readonly Edge[],
): number[] | null {
	const types: readonly (PartnerType | null)[] = added.partnerType
		? [added.partnerType]
		: [...new Set(others.map(({ partnerType }) => partnerType)), null];
	for (const type of types) {
		const edges = others.filter(
			({ partnerType }) => partnerType === null || partnerType === type,
		);
		const path = findPath(added.targetId, added.triggerId, edges);
		if (path) return [added.triggerId, ...path];
	}
	return null;
}

/** Finds a path from one field to another along the rules. */
function findPath(
	from: number,
	to: number,
	edges: readonly Edge[],
): number[] | null {
	const cameFrom = new Map<number, number | null>([[from, null]]);
	const queue = [from];
	for (const at of queue) {
		if (at === to) {
			const path: number[] = [];
			for (let step: number | null = at; step !== null; ) {
				path.unshift(step);
				step = cameFrom.get(step) ?? null;
			}
			return path;
		}
		for (const { triggerId, targetId } of edges) {
			if (triggerId !== at || cameFrom.has(targetId)) continue;
			cameFrom.set(targetId, at);
			queue.push(targetId);
		}
	}
	return null;
}
