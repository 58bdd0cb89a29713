import { expect, it } from "vitest";
import { parseRetryAfter } from "../src/index.ts";

const NOW = Date.UTC(1994, 10, 6, 8, 49, 0);

it.each([
	["0", 0],
	["120", 120_000],
	[" 7 ", 7_000],
	["9999999999", 9_999_999_999_000],
	["99999999999", 9_999_999_999_000],
	["9".repeat(400), 9_999_999_999_000],
	[`${"0".repeat(20)}5`, 5_000],
	["Fri, 31 Dec 9999 23:59:59 GMT", 9_999_999_999_000],
	["Sun, 6 Nov 1994 08:49:37 GMT", 37_000],
	["Sunday, 6-Nov-94 08:49:37 GMT", 37_000],
	["Sun Nov 6 08:49:37 1994", 37_000],
	["Sun, 06 Nov 1994 08:49:37 GMT", 37_000],
	["Sunday, 06-Nov-94 08:49:37 GMT", 37_000],
	["Sun Nov  6 08:49:37 1994", 37_000],
	["Sun, 06 Nov 1994 08:00:00 GMT", 0],
])("reads %j", (value, milliseconds) => {
	expect(parseRetryAfter(value, NOW)).toBe(milliseconds);
});

it.each([
	"",
	"soon",
	"-1",
	"1.5",
	"1e3",
	"0x10",
	"60, 120",
	"Sun, 006 Nov 1994 08:49:37 GMT",
	"1994-11-06T08:49:37Z",
	"Sun, 06 Nov 1994 08:49:37 +0100",
	"Sun, 99 Nov 1994 99:99:99 GMT",
])("leaves %j alone", (value) => {
	expect(parseRetryAfter(value, NOW)).toBeNull();
});

it.each([
	[["60", "120"], 120_000],
	[["Sun, 06 Nov 1994 08:49:37 GMT", "5"], 37_000],
	[["soon", "7", "-1"], 7_000],
	[["0", "0"], 0],
	[["soon", "later"], null],
	[[], null],
])("takes the longest of %j", (values, milliseconds) => {
	expect(parseRetryAfter(values, NOW)).toBe(milliseconds);
});
