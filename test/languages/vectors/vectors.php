<?php
/* Prints for each token vector whether the page's code accepts it, as JSON. */
require __DIR__ . '/server.php';

$isAccepted = function (stdClass $vector): bool {
    try {
        return isBound(verify($vector->token, $vector->secret, $vector->now), $vector->body ?? '');
    } catch (Throwable) {
        return false;
    }
};
echo json_encode(array_map($isAccepted, json_decode(file_get_contents($argv[1]))->vectors));
